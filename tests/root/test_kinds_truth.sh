#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth for native code of every kind (tests/programs/kinds.cpp).
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/kinds"

start "$PROGRAMS/kinds" 60 "$work/table"
map=/tmp/perf-$target.map
until_true 20 test -s "$work/table" || blame 'no table' "$work/target.out"
profile -p "$target" -F 999 --max-cost 100 -d 8 -U
status_is 0
accounts
stop "$target"
rm -f "$map"
verdict 'native code of every kind is profiled'
"$here/exact" "$work/table" "$work/out" >"$work/exact" || failed=1
cat "$work/exact"
grep -E ';kinds_(storm|clock)(;| )' "$work/out" >"$work/whole"
shows ';main;kinds_storm;(kinds_throw;)?.*(_Unwind_|__cxa_)' "$work/whole"
shows ';main;kinds_clock;clock_gettime;__vdso_clock_gettime ' "$work/whole"
# While libgcc writes the handler's registers into its own frame
# (uw_install_context_1), that frame has no caller any more.
grep -vE '\];kinds_storm;_Unwind_RaiseException[; ]' "$work/whole" >"$work/others"
shows_no '\[cut' "$work/others"
verdict "all stacks of the unwinder and the vDSO are whole, $(
	awk '{ n += $NF } END { print n + 0 }' "$work/whole")"
says 'by frame pointer'
says 'no unwind information for this address'
verdict 'frames by frame pointer are counted'
exit "$failed"
