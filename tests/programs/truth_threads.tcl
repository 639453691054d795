# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for threads: each burns under procs of its own, all at once.
#
#   tclsh truth_threads.tcl TRUTH_TCL.SO TABLE SECONDS
#
# TABLE is as in truth_tcl.tcl.  Outermost in a thread's stack stand the C
# functions that start it (libc, libtcl, the Thread package): `**` in the table.
# The Thread package's own functions are static in a stripped file.
#
#   main    burns in the main thread
#   alone   a thread that burns in its main script
#   served  a thread in thread::wait, to which work is sent
#   nested  the same, with C between: truth::call

if {$argc != 3} {
	puts stderr "usage: truth_threads.tcl SO TABLE SECONDS"
	exit 2
}
set thread_so libthread[package require Thread].so
lassign $argv so table seconds
set so [file normalize $so]

set out [open $table.part w]
foreach row [string map [list @ $thread_so] {
	{main ::truth::burn truth_leaf_01 "main thread"}
	{** alone ::app::one ::truth::burn truth_leaf_02 "thread's main script"}
	{** ::thread::wait **@ served ::app::two ::truth::burn truth_leaf_03
		"work sent to a thread"}
	{** ::thread::wait **@ nested ::truth::call truth_outer truth_inner
		::app::three ::truth::burn truth_leaf_04 "C in a thread"}
}] {
	set stack [lrange $row 0 end-1]
	puts $out "[lindex $stack end]\t[join $stack {;}]\t[lindex $row end]"
}
close $out
file rename -force $table.part $table

set end [expr {[clock milliseconds] + int(1000 * $seconds)}]
set prepare "load {$so} Truth; set end $end"
append prepare {
	proc busy {} {expr {[clock milliseconds] < $::end}}
	namespace eval app {
		proc one {} {::truth::burn 2 3}
		proc two {} {::truth::burn 3 3}
		proc three {} {::truth::burn 4 3}
	}
	proc alone {} {::app::one; return}
	proc served {} {::app::two; return}
	proc nested {} {truth::call {::app::three; set ignored 1}; return}
}
set alone [thread::create -joinable \
	"$prepare; while {\[busy\]} {alone}; thread::release"]
foreach name {served nested} {
	set $name [thread::create -joinable "$prepare; thread::wait"]
}
load $so Truth
proc main {} {::truth::burn 1 3}
# A thread is sent its next piece of work when it has done the last.
proc again {name id args} {
	if {[clock milliseconds] < $::end} {
		thread::send -async $id $name ::answer_$name
	}
}
foreach name {served nested} {
	trace add variable answer_$name write [list again $name [set $name]]
	again $name [set $name]
}
while {[clock milliseconds] < $end} {
	main
	update
}
foreach name {served nested} {
	trace remove variable answer_$name write [list again $name [set $name]]
	thread::release [set $name]
	thread::join [set $name]
}
thread::join $alone
