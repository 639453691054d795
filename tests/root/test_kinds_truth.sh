#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth for native code of every kind (tests/programs/kinds.cpp).
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" gcc g++ gfortran

(
	cd "$work" &&
		gcc -c "$sources/kinds_asm.S" &&
		gfortran -O2 -fno-inline -c "$sources/kinds.f90" -o fortran.o &&
		g++ -std=gnu++17 -O2 -fomit-frame-pointer -Wall -c \
			"$sources/kinds.cpp" &&
		g++ -rdynamic kinds.o kinds_asm.o fortran.o -o kinds -lgfortran \
			-pthread
) >"$work/build" 2>&1 || {
	blame 'does not build' "$work/build"
	verdict 'ground truth of native code'
	exit 1
}
start "$work/kinds" 60 "$work/table"
map=/tmp/perf-$target.map
until_true 20 test -s "$work/table" || blame 'no table' "$work/target.out"
profile -p "$target" -F 999 -d 8 -U
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
