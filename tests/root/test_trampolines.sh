#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Stacks are exact behind functions whose returns are probed (uretprobes), by anybody.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/trampolines"

start "$PROGRAMS/trampolines" "$work/table" 300
until_true 20 grep -q ready "$work/target.out" || blame 'no probes' "$work/target.out"

profile -p "$target" -F 999 --max-cost 100 -d 5 -U
status_is 0
accounts
"$here/exact" "$work/table" "$work/out" >"$work/exact" || failed=1
cat "$work/exact"
# The kernel is about to change a return address, or the thread is in the trampoline's code.
all=$(awk '{ n += $NF } END { print n }' "$work/out")
cut=$(awk '/\[cut: / { n += $NF } END { print n + 0 }' "$work/out")
[ $((cut * 20)) -le "$all" ] || blame "$cut of $all stacks are cut" "$work/out"
shows_no 'anonymous code'
verdict 'stacks behind probed returns'

# Those of threads that sleep, too.
for _ in 1 2 3 4 5 6 7 8; do
	"$JPBPF" dump -p "$target" -f folded 2>"$work/err"
done >"$work/out"
asleep=$(grep -c ';main;probed_sleeper;.*nanosleep' "$work/out")
at_least 2 "$asleep" 'threads asleep'
shows_no ';probed_sleeper;.*cut:|cut:.*;probed_sleeper;'
verdict "dump: $asleep of 8 were asleep behind a probed return"
stop "$target"
exit "$failed"
