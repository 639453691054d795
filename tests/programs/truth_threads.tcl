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
#   asked   a thread that the main one waits for
#   pooled  a thread of a pool

if {$argc != 3} {
	puts stderr "usage: truth_threads.tcl SO TABLE SECONDS"
	exit 2
}
package require Thread
foreach library [info loaded] {
	if {[lindex $library 1] eq "Thread"} {
		set thread_so [file tail [lindex $library 0]]
	}
}
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
	{** ::thread::wait **@ asked {coroutine co} {Worker work} ::app::four
		::truth::burn truth_leaf_05 "work that is waited for"}
	{** **@ pooled ::app::five ::truth::burn truth_leaf_06 "thread of a pool"}
	{evals ::thread::eval **@ main_burn ::truth::burn truth_leaf_07
		"thread::eval"}
	{locks ::tsv::lock **@ main_burn ::truth::burn truth_leaf_08 "tsv::lock"}
	{sends ::thread::send **@ main_burn ::truth::burn truth_leaf_09
		"thread::send to itself"}
	{answers vwait **@ answered main_burn ::truth::burn truth_leaf_10
		"answer to thread::send -async"}
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
	namespace eval app {
		proc four {} {::truth::burn 5 3}
		proc five {} {::truth::burn 6 3}
	}
	oo::class create Worker {method work {} {::app::four; return}}
	Worker create worker
	proc asked {} {coroutine co worker work; return}
	proc pooled {} {::app::five; return}
}
set alone [thread::create -joinable \
	"$prepare; while {\[busy\]} {alone}; thread::release"]
foreach name {served nested asked answering} {
	set $name [thread::create -joinable "$prepare; thread::wait"]
}
set pool [tpool::create -minworkers 1 -maxworkers 1 -initcmd $prepare]
load $so Truth
proc main {} {::truth::burn 1 3}
proc main_burn n {::truth::burn $n 3}
proc evals {} {thread::eval {main_burn 7}; return}
proc locks {} {tsv::lock shared {main_burn 8}; return}
proc sends {} {thread::send [thread::id] {main_burn 9}; return}
proc answered args {main_burn 10; set ::seen 1; return}
trace add variable answer write answered
proc answers {} {
	thread::send -async $::answering {set ignored 1} ::answer
	vwait ::seen
	return
}
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
	evals
	locks
	sends
	answers
	set job [tpool::post -nowait $pool pooled]
	thread::send $asked asked
	tpool::wait $pool $job
	tpool::get $pool $job
	update
}
tpool::release $pool
foreach name {asked answering} {
	thread::release [set $name]
	thread::join [set $name]
}
foreach name {served nested} {
	trace remove variable answer_$name write [list again $name [set $name]]
	thread::release [set $name]
	thread::join [set $name]
}
thread::join $alone
