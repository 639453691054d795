#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# A debugger, which unwinds by itself, must see the native frames that we see.
# Processes that stay in one leaf of a known path are profiled, all of one kind at
# once, and then looked at by gdb.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" gdb readelf tclsh8.6 Rscript "$PROGRAMS/truth_tcl.so" \
	"$PROGRAMS/truth_r.so" "$PROGRAMS/deep"

# One gdb for all: what it reads of the libraries it reads once.
look() {
	set -- gdb -batch -nx -iex 'set debuginfod enabled off' \
		-ex 'set backtrace past-main on' -ex 'set pagination off'
	inferior=1
	while read -r pid n; do
		[ $inferior = 1 ] || set -- "$@" -ex add-inferior \
			-ex "inferior $inferior"
		set -- "$@" -ex "attach $pid" -ex 'bt 1000'
		inferior=$((inferior + 1))
	done <"$work/list"
	"$@" >"$work/bt" 2>&1
	while read -r pid n; do
		grep -q "^#0 .*truth_leaf_$n " "$work/bt" || return 1
	done <"$work/list"
}

# Where optim() begins: R's record of it (R_RegisteredNativeSymbol, then
# Rf_DotCallSymbol, src/include/Rdynpriv.h) has the function in the second word of
# the second word.
routine() {
	[ -n "$2" ] || return 0
	perl -e 'open my $m, "<:raw", "/proc/$ARGV[0]/mem" or die;
		sub word { sysseek $m, $_[0], 0; sysread $m, my $b, 8; unpack "Q", $b }
		printf "0x%x=optim", word(word(hex($ARGV[1]) + 8) + 8)' "$1" "$2"
}

compare() {
	pids=$(awk '{ printf "%s%s", s, $1; s = "," }' "$work/list")
	profile -p "$pids" -F 999 --max-cost 100 -d 1 -U --internals --addresses
	status_is 0
	accounts "$work/out"
	look || look || blame "gdb does not find them in their leaves:" "$work/bt"
	while read -r pid n; do
		cp "/proc/$pid/maps" "$work/maps"
		if got=$(ROUTINE=$(routine "$pid" "$(cut -f 3 "$work/frames.$n")") \
			"$here/agree" "$work/bt" "$work/maps" "$work/out" \
			"truth_leaf_$n" "$(cut -f 2 "$work/frames.$n")"); then
			got=", $got native frames"
		else
			echo "$got" >"$work/differs"
			blame "gdb and jpbpf differ:" "$work/differs"
			got=
		fi
		verdict "gdb and jpbpf agree: $1, $(cut -f 1 "$work/frames.$n")$got"
		stop "$pid"
	done <"$work/list"
}

# They begin one after the other: until it is in its leaf, each has a CPU.
begin() {
	n=$1
	shift
	start "$@"
	echo "$target $n" >>"$work/list"
	until_true 20 test -s "$work/frames.$n" ||
		blame "does not begin: $*" "$work/target.out"
}
rm -f "$work/list"
for n in 01 02 03 04 05 06 07; do
	begin $n nice tclsh8.6 "$sources/oracle.tcl" "$PROGRAMS/truth_tcl.so" \
		"$work/frames.$n" $n
done
compare tcl
rm "$work/list" "$work"/frames.*
for n in 01 02 03 04 05 06 07; do
	begin $n nice Rscript --vanilla "$sources/oracle.R" \
		"$PROGRAMS/truth_r.so" "$work/frames.$n" $n
done
compare r
rm "$work/list" "$work"/frames.*
printf '190 functions\t\n' >"$work/frames.01"
begin 01 "$PROGRAMS/deep" 1000 "$work/table" 190
until_true 20 test -s "$work/table"
compare C
exit "$failed"
