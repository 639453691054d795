#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What the agent takes is limited, however many processes and files there are.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/bounds" "$PROGRAMS/first_late.so"

mkdir "$work/many"
# shellcheck disable=SC2016 # of the inner shell
(cd "$work/many" && seq -f %.0f.so 2400 | xargs -n 800 sh -c 'tee "$@" <"$0" >/dev/null' \
	"$PROGRAMS/first_late.so")
: >"$work/target.out"
pids=
for i in $(seq 1000); do
	files=
	for k in 0 1 2 3 4 5 6 7 8 9; do
		files="$files $work/many/$(((i * 2 + k * 201) % 2400 + 1)).so"
	done
	# shellcheck disable=SC2086 # a list
	"$PROGRAMS/bounds" hold $files >>"$work/target.out" &
	started="$started $!"
	pids="$pids,$!"
done
# shellcheck disable=SC2317 # until_true calls it
all_ready() {
	[ "$(wc -l <"$work/target.out")" = 1000 ]
}
until_true 60 all_ready || blame 'not all targets are ready'
start_tcl
profile_start -p "$target$pids" --stats -o "$work/out"
run_on "$target" 100
# Also what is mapped twice, as the ring is.
resident=$(awk '/^VmRSS:/ { print $2 }' "/proc/$profiler/status")
own=$(awk '/^RssAnon:/ { print $2 }' "/proc/$profiler/status")
profile_end INT
status_is 0
accounts "$work/out"
at_least 2400 "$(figure files,)" files
# shellcheck disable=SC2046 # two numbers
set -- $(sed -nE 's/^jpbpf: stats: agent resident ([0-9]+) .* tables ([0-9]+) .*/\1 \2/p' \
	"$work/err")
[ $# = 2 ] || set -- 0 0
at_most 65536 $(($1 - $2)) 'KiB without tables'
at_most 65536 "$resident" 'KiB resident'
verdict "1,000 targets, $(figure files,) files: $resident KiB resident, $own of it its own, at most $1; $2 KiB of tables"

# 32 MiB have room for 2,048 of these files.
profile -p "$target$pids" --stats --max-memory 32 -d 3
status_is 0
accounts
only_memory
says '  looks at files: no room for so many (see --max-memory)'
at_most 32 "$used" MiB
verdict "files without room are said: $used MiB, $taken taken, $kept kept"
exit "$failed"
