# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Procs over a C command that burns: every sample finds the same stack.
#
#   tclsh cost_tcl.tcl TRUTH_TCL.SO SECONDS PROCS READY
#
# Writes the file READY when it begins to burn.
lassign $argv so seconds procs ready
load $so Truth

for {set level 1} {$level < $procs} {incr level} {
	proc level$level {} "level[expr {$level + 1}]\nreturn"
}
proc level$procs {} {
	set file [open $::ready w]
	puts $file ready
	close $file
	truth::burn 1 [expr {1000 * $::seconds}]
	return
}
level1
