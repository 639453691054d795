# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Tcl and C in turn, N times in each other.
#
#   tclsh truth_tcl_nested.tcl TRUTH_TCL.SO TABLE SECONDS N
#
# TABLE: as truth_tcl.tcl writes it.

lassign $argv so file seconds n
load [file normalize $so] Truth
interp recursionlimit {} 1000000
proc down1 left {
	if {$left > 1} {
		::truth::callobj [list down1 [incr left -1]]
	} else {
		::truth::burn 1 20
	}
	return
}
proc start seconds "
	set end \[expr {\[clock milliseconds\] + int(1000 * \$seconds)}\]
	while {\[clock milliseconds\] < \$end} {
		down1 $n
	}"
set stack start
for {set i 1} {$i < $n} {incr i} {
	lappend stack down1 ::truth::callobj truth_outer truth_inner
}
lappend stack down1 ::truth::burn truth_leaf_01
set out [open $file.part w]
puts $out "truth_leaf_01\t[join $stack {;}]\t$n evaluations in each other"
close $out
file rename $file.part $file
start $seconds
