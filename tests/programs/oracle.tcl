# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# One call path, and then nothing but truth_leaf_NN: a debugger that looks at this
# process must see the native frames that the profiler sees.
#
#   tclsh oracle.tcl TRUTH_TCL.SO FRAMES NN
#
# NN (01 ...) is the path.  FRAMES gets one line: the construct, and after a tab the
# Tcl frames that stand between the native ones.

lassign $argv so file number
load $so Truth
scan $number %d n

proc leaf args {::truth::burn $::n 1000000000; return 0}
proc down n {if {$n} {down [incr n -1]} else leaf}
namespace eval app {proc sort {} {lsort -command ::leaf {2 1}}}

switch $n {
	1 {
		set what {lsort in a namespace}
		set frames {::app::sort lsort leaf}
		set script ::app::sort
	}
	2 {
		set what {coroutine in a coroutine}
		proc outer {} {coroutine in down 3}
		set frames {{coroutine out} outer {coroutine in} down down down down
			leaf}
		set script {coroutine out outer}
	}
	3 {
		set what {event loop}
		set frames {vwait leaf}
		set script {after 0 leaf; vwait forever}
	}
	4 {
		set what {child interpreter}
		interp create kid
		interp alias kid up {} ::leaf
		kid eval {proc inside {} {up; return}}
		set frames {kid inside up leaf}
		set script {kid eval inside}
	}
	5 {
		set what {C and Tcl in turn}
		proc c1 {} {::truth::call {c2; set ignored 1}}
		proc c2 {} {::truth::expr {[c3] + 1}}
		proc c3 {} {::truth::subst {a[leaf]}}
		set frames {c1 ::truth::call c2 ::truth::expr c3 ::truth::subst leaf}
		set script c1
	}
	6 {
		set what {methods and a trace}
		oo::class create Base {method run {} {set ::watched 1}}
		oo::class create Over {superclass Base; method run {} {next; return}}
		trace add variable watched write leaf
		Over create object
		set frames {{Over run} {Base run} leaf}
		set script {object run}
	}
	7 {
		set what {50 procs deep}
		set frames [concat [lrepeat 51 down] leaf]
		set script {down 50}
	}
}
set out [open $file.part w]
puts $out "$what\t[join [concat $frames ::truth::burn] {;}]"
close $out
file rename -force $file.part $file
eval $script
