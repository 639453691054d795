#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth for Rust: alone, with Tcl, with R (tests/programs/kinds.rs), and what
# its compiler inlines (tests/programs/inlined.rs).
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
# Debian's, whatever else there is: no other is tried.
PATH=/usr/bin:$PATH
need "$JPBPF" rustc gcc R

R_HOME=$(R RHOME)
export R_HOME LD_LIBRARY_PATH="$R_HOME/lib"
tcl=$(pkg-config --libs tcl8.6 2>/dev/null || pkg-config --libs tcl)
(
	cd "$work" && gcc -O2 -g0 -fomit-frame-pointer -Dmain=unused -c \
		"$sources/leaves.c" && ar rc libleaves.a leaves.o
) || blame 'leaves.c does not build'
# build SOURCE OPTION...
build() {
	source=$1
	shift
	rustc --edition 2021 -O -L "$work" -l static=leaves "$@" \
		"$sources/$source.rs" -o "$work/$source" >"$work/build" 2>&1 ||
		blame "$source.rs $* does not build" "$work/build"
}
# The stacks on standard input without those in uw_install_context_1(), which stands
# before _Unwind_GetGR(), or in anything that _Unwind_Resume() calls.
get_gr=$(nm -D "$(gcc -print-file-name=libgcc_s.so.1)" |
	awk '/ _Unwind_GetGR@/ { print $1 }')
without_landing() {
	perl -ne 'BEGIN { $get_gr = hex(shift) }
		my ($by, $at) = /;_Unwind_(\w+);\[libgcc_s[^;]*\+0x(\w+)\](?:;[^;]*_\[k\])* /;
		my $before = $get_gr - hex($at // 0);
		print unless $by && ($by eq "Resume" || $by eq "RaiseException" &&
			$before > 0 && $before <= 0x200)' "$get_gr"
}
# one WHAT OPTION...
one() {
	what=$1
	shift
	build kinds "$@"
	start_table "$work/kinds" 60 "$work/table"
	profile -p "$target" -F 999 --max-cost 100 -d 4 -U
	status_is 0
	accounts
	stop "$target"
	exactly "$work/table"
	# There libgcc writes what the handler is to find over the registers that its own
	# frame has saved: for some instructions nobody can tell who called it.
	without_landing <"$work/out" >"$work/others"
	shows_no '\[(cut|by)' "$work/others"
	verdict "$what: $exact exact, no stack of $taken cut"
}
# shellcheck disable=SC2086 # options
one 'Rust and Tcl' --cfg tcl $tcl
# shellcheck disable=SC2086
one 'Rust and Tcl, names of version 0, stripped of debug information' --cfg tcl \
	-C symbol-mangling-version=v0 -C strip=debuginfo $tcl
one 'Rust and R' --cfg r -L "$R_HOME/lib" -l R
one 'Rust and R, names of version 0, optimised less' --cfg r -C symbol-mangling-version=v0 \
	-L "$R_HOME/lib" -l R -C opt-level=1

# ---------------------------------------------------------------------- --inlines

line() {
	source_line inlined.rs "$1"
}
{
	truth_row 1 inlined::main inlined::deep '~.*middle_\[i\]' '~.*inner_\[i\]'
	truth_row 2 inlined::main inlined::closes '~.*apply.*_\[i\]' '~.*closure.*_\[i\]'
} >"$work/inlines"
{
	truth_row 1 "inlined::main ($(line 'main deep'))" "inlined::deep ($(line deep))" \
		"~.*middle_\[i\] \($(line middle)\)" "~.*inner_\[i\] \($(line inner)\)"
	truth_row 2 "inlined::main ($(line 'main closes'))" \
		"~inlined::closes \(inlined.rs:[0-9]*\)" \
		"~.*apply.*_\[i\] \($(line apply)\)" \
		"~.*closure.*_\[i\] \($(line closure)\)"
} >"$work/lines"
for version in older v0; do
	set --
	[ "$version" = older ] || set -- -C symbol-mangling-version=v0
	build inlined -g "$@"
	start "$work/inlined" 60
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U --inlines
	status_is 0
	accounts
	exactly "$work/inlines"
	first=$exact
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U --inlines --lines
	status_is 0
	exactly "$work/lines"
	verdict "what Rust inlines ($version names), with lines: $first, $exact exact"
	stop "$target"
done
exit "$failed"
