#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth for setjmp() and longjmp() (tests/programs/jump.c).
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/jump"

start "$PROGRAMS/jump" 60 "$work/table"
until_true 20 test -s "$work/table" || blame 'no table' "$work/target.out"
profile -p "$target" -F 999 --max-cost 100 -d 6 -U
status_is 0
accounts
stop "$target"
"$here/exact" "$work/table" "$work/out" >"$work/exact" || failed=1
cat "$work/exact"
shows_no '\[cut'
verdict 'every stack of a program that jumps is whole'

# In the last instructions of longjmp() those that called it are gone.
grep -E ';truth_leaf_0[1-4];[^;]*longjmp[^;]* [0-9]+$' "$work/out" >"$work/last"
last=$(awk '{ n += $NF } END { print n + 0 }' "$work/last")
[ "$last" -gt 0 ] || blame 'no sample where longjmp() ends' "$work/out"
verdict "of these, $last were taken where longjmp() ends"
exit "$failed"
