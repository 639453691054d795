#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Formats of 100,000 distinct stacks, 40 deep: how long they take, and their sums.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/../views/reader.sh"
need go sqlite3
export PPROF_TMPDIR="$dir" HOME="$dir"

# made FORMAT SECONDS: of CPU time, with the making of the profile.
made() {
	took=$( { TIMEFORMAT=%U; export TIMEFORMAT
		bash -c 'time "$@" >"$0"' "$1" "$make_profile" "$1" stacks=100000 depth=40; } 2>&1)
	awk "BEGIN { exit !($took <= $2) }" &&
		echo "ok - $1: $took s, $(wc -c <"$1") bytes" && return
	echo "not ok - $1: $took s of CPU time, more than $2"
	failed=1
}

total=$("$make_profile" folded stacks=100000 depth=40 | awk '{ n += $NF } END { print n }')
made pprof 10
same 'pprof: samples' "of $total total" "$(go tool pprof -top -sample_index=samples pprof 2>/dev/null |
	sed -n 's/^Showing nodes accounting for.*\(of [0-9]* total\)$/\1/p')"
made perfetto 10
made sqlite 20
same 'sqlite: samples' "$total" "$(sqlite3 sqlite 'SELECT sum(samples_in) FROM flat')"
exit $failed
