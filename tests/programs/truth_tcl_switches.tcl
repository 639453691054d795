# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Coroutines that switch as fast as they go, below a command written in C.
#
#   tclsh truth_tcl_switches.tcl TRUTH_TCL.SO TABLE SECONDS N
#
# N: how many coroutines stand in each other.  TABLE is that of random_tcl.tcl.

lassign $argv so file seconds n
proc yb1 {} {while 1 {yield}}
for {set i 2} {$i <= $n} {incr i} {
	proc yb$i {} "coroutine ::co[expr {$i - 1}] yb[expr {$i - 1}]
		while 1 {yield; ::co[expr {$i - 1}]}"
}
proc callery1 {} "::co$n; ::co$n; ::co$n; ::co$n"
proc cmpp1 {a b} {callery1; return 0}
proc main0 seconds "
	set end \[expr {\[clock milliseconds\] + int(1000 * \$seconds)}\]
	coroutine ::co$n yb$n
	while {\[clock milliseconds\] < \$end} {
		lsort -command cmpp1 {3 2 1}
		::co$n
	}"
set rows main0
set stack {main0 lsort}
foreach frame {lsort cmpp1 callery1} {
	lappend rows $stack
	lappend stack $frame
}
foreach stack {main0 {main0 lsort cmpp1 callery1}} {
	lappend rows $stack
	for {set i $n} {$i} {incr i -1} {
		foreach frame [list "coroutine co$i" yb$i] {
			lappend stack $frame
			lappend rows $stack
		}
	}
}
lappend rows {main0 lsort cmpp1}
set out [open $file.part w]
foreach row $rows {
	puts $out "-\t[join $row {;}]"
}
close $out
file rename $file.part $file
main0 $seconds
