#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf trace: calls that are left at the end are the same in the table, the stacks and the
# log.
# Runs beside others.
#
#   RUNS (3): of each of both
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 perl

# Each of these is in a call nearly always, and leaves one at any moment.
cat >"$work/wait.tcl" <<'END'
proc f {} { after 40 }
while 1 f
END
targets=
for _ in $(seq 20); do
	start tclsh8.6 "$work/wait.tcl"
	targets="${targets:+$targets,}$target"
done
target=$targets

# trace_wait FORMAT: $calls in the table, $open of them.
trace_wait() {
	trace_start -f "$1" tcl:f
	sleep 0.5
	profile_end INT
	status_is 0
	# shellcheck disable=SC2046 # two numbers
	set -- $(sed -n 's/^jpbpf: calls: \([0-9]*\) of .* \([0-9]*\) of them open.*/\1 \2/p' "$work/err")
	calls=${1:-0} open=${2:-0}
	[ "$((calls - open))" -gt 0 ] || blame 'no calls' "$work/err"
}
for _ in $(seq "${RUNS:-3}"); do
	trace_wait jsonl
	stacks=$(perl -MJSON::PP -ne 'my $l = decode_json($_);
		$n += $l->{weight} if $l->{stack} || $l->{frames};
		END { print $n + 0 }' "$work/out")
	[ "$stacks" = $((calls - open)) ] ||
		blame "$stacks calls in stacks, $((calls - open)) in the table"
	verdict "stacks: $stacks calls that were left, $open open"
	trace_wait log
	begun=$(grep -c ' > f' "$work/out")
	left=$(grep -c ' < f' "$work/out")
	[ "$begun $left" = "$calls $((calls - open))" ] ||
		blame "$begun begun and $left left, $calls and $((calls - open)) in the table"
	verdict "log: $begun begun, $left left"
done
exit "$failed"
