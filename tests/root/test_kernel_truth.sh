#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The user's part of a stack is exact when the sample was taken in the kernel.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/kernel_time"

start "$PROGRAMS/kernel_time" 300 "$work/table"
until_true 20 test -s "$work/table" || blame 'no table' "$work/target.out"

# samples REGEXP: how many have such a stack.
samples() {
	grep -E -e "$1" "$work/out" | awk '{ n += $NF } END { print n + 0 }'
}
exactly() {
	"$here/exact" "$work/table" "$work/out" >"$work/exact" || failed=1
	cat "$work/exact"
}

profile -p "$target" -F 999 --max-cost 100 -d 6
status_is 0
accounts
exactly
# Where the time goes is in the leaf's stack, behind all of the user's frames.
for leaf in 01 02 03; do
	all=$(samples ";truth_leaf_${leaf}[; ]")
	in_kernel=$(samples ";truth_leaf_$leaf(;[^;]*)?;[^;]*_\[k\]")
	[ $((in_kernel * 2)) -ge "$all" ] ||
		blame "leaf $leaf: $in_kernel of $all samples have kernel frames"
done
shows_no '_\[k\];[^;]*[^]](;| )'
shows ';truth_leaf_01;.*(read_zero|read_iter_zero|clear_user).*_\[k\]'
shows ';truth_leaf_02;.*(page_fault|handle_mm_fault).*_\[k\]'
verdict 'kernel frames stand inward of the user frames, where the time is'

profile -p "$target" -F 999 --max-cost 100 -d 3 -U
status_is 0
accounts
shows_no '_\[k\]'
exactly
verdict '-U: the same without kernel frames'

profile -p "$target" -F 999 --max-cost 100 -d 3 -K
status_is 0
accounts
shows '^kernel_time;.*_\[k\]'
# Leaf 04 stays in user mode.
shows '^kernel_time;\[user mode\] [0-9]+$'
sed 's/^kernel_time//' "$work/out" | grep -v '^;\[user mode\] ' >"$work/kernel"
shows_no '^ |;[^;]*[^]](;| )' "$work/kernel"
verdict '-K: kernel frames only, or [user mode]'
stop "$target"
exit "$failed"
