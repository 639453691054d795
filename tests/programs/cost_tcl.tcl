# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Twelve procs over a C command that burns: every sample finds the same stack.
#
#   tclsh cost_tcl.tcl TRUTH_TCL.SO SECONDS
lassign $argv so seconds
load $so Truth

for {set level 1} {$level < 12} {incr level} {
	proc level$level {} "level[expr {$level + 1}]\nreturn"
}
proc level12 {} {
	truth::burn 1 [expr {1000 * $::seconds}]
	return
}
level1
