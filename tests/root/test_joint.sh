#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Rules on real programs: the C stack of a program of Tk becomes the joint one, and
# subcommands of the user's own commands are read.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" wish8.6 Xvfb "$PROGRAMS/truth_tcl.so"
run=$work/run.jpb
record() {
	profile record -o "$run" -F 499 --max-cost 100 -U -d 2 "$@"
	status_is 0
}
# read_back ARGS...: the recording as folded stacks in $work/out.
read_back() {
	"$JPBPF" convert "$run" -f folded "$@" >"$work/out" 2>"$work/said" ||
		blame 'cannot be read' "$work/said"
}
total() {
	awk '{ n += $NF } END { print n + 0 }' "$work/out"
}

mkfifo "$work/display"
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$work/display" >"$work/xvfb" 2>&1 &
started="$started $!"
read -r number <"$work/display" || skip 'Xvfb does not start'
DISPLAY=":$number" start wish8.6 "$sources/joint.tcl"
until_true 20 has_run "$target" 50 || blame 'wish does not run' "$work/target.out"

cat >"$work/rules" <<'RULES'
subcommand .w part domDoc0x55d0
join ++
hide c _start __libc_start* main
hide c /^\[lib(tcl|tk)/
RULES
record -p "$target" --rules "$work/rules"
stop "$target"
read_back --internals --no-rules
all=$(total)
joint='Tk_MainEx;Tk_MainLoop;*tick;.b++invoke;.w++Action;board;domDoc*++Action;lsort;part++sort;order;string++compare'
c='(\[lib(tcl|tk)8.6.so\+0x[0-9a-f]+\]|Tcl[A-Za-z_]+);'
shows "^wish8.6;_start;.*main;Tk_MainEx;Tk_MainLoop;($c)+1398tick;\.b invoke;($c)+\.w Action;board;domDoc0x55d0 Action;lsort;($c)+part sort;order;string compare(;${c%;})+ [0-9]"
verdict 'the C stack of a program of Tk'
for options in --internals ''; do
	# shellcheck disable=SC2086 # an option or nothing
	read_back $options --rules "$work/rules"
	[ "$(total)" = "$all" ] || blame "$(total) samples of $all"
	count=$(awk -v joint="wish8.6;$joint" '
		$0 == joint " " $NF { print $NF }' "$work/out")
	[ "${count:-0}" -ge $((all / 2)) ] ||
		blame "the joint stack has ${count:-none} of $all samples:" "$work/out"
	verdict "it becomes the joint stack of $(echo "$joint" | tr ';' '\n' | wc -l) entries${options:+, from all frames}"
done

cat >"$work/own.tcl" <<'TCL'
load [lindex $argv 0] Truth
rename ::truth::call add
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc wave {} {spin 5000}
proc drop {what n} {spin $n}
proc Tree {what n} {spin $n}
namespace eval box {proc drop {what n} {spin $n}}
while 1 {
	add wave
	drop wave 5000
	drop {a b} 5000
	Tree wave 5000
	box::drop wave 5000
}
TCL
start tclsh8.6 "$work/own.tcl" "$PROGRAMS/truth_tcl.so"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run' "$work/target.out"
echo 'subcommand add drop' >"$work/rules"
record -p "$target" --rules "$work/rules"
read_back
for stack in 'add wave;truth_outer;truth_inner;wave' 'drop wave' drop Tree ::box::drop; do
	shows "^tclsh8.6;$stack;spin[; ]"
done
shows_no 'drop a b|add;|Tree wave|box::drop wave'
record -p "$target"
read_back
shows '^tclsh8.6;add;truth_outer;'
shows_no 'wave 5000|(add|drop) wave'
verdict 'subcommands of commands and procs that a rule names'
exit $failed
