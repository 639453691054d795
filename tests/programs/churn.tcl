# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Names that change as fast as Tcl can change them.
#
#   tclsh churn.tcl CHURN.SO TABLE SECONDS
#
# TABLE is as in truth_tcl.tcl.  Everything here comes in pairs, ..._a and ..._b,
# of equal length and never alive together: Tcl's allocator gives the second the
# memory of the first.  Each burns in a leaf of its own, so a name that was read for
# an address and used after the address was used again is seen as a wrong
# stack.

lassign $argv so file seconds
set so [file normalize $so]
load $so Churn

set table {}
# expect CONSTRUCT FRAMES: the number of the leaf.
proc expect {construct frames end} {
	set n [expr {[llength $::table] + 1}]
	set leaf [format truth_leaf_%02d $n]
	lappend ::table "$leaf\t[join [concat $frames $end $leaf] {;}]\t$construct"
	return $n
}
# Runs its text for a and for b: %x is the letter, %n1 ... are the leaves.
proc pair {name construct frames text {end ::churn::leaf}} {
	set body {}
	foreach x {a b} {
		set map [list %x $x]
		foreach stack $frames {
			set n [expect "$construct ($x)" [string map $map $stack] $end]
			lappend map %n[expr {[llength $map] / 2}] $n
		}
		append body [string map $map $text] \n
	}
	proc $name {} $body
	lappend ::rounds $name
}
set rounds {}

pair procs "proc deleted and made" {
	{procs proc_%x}
} {
	proc proc_%x {} {churn::leaf %n1}
	proc_%x
	rename proc_%x {}
}
pair callers "procs made over each other, called in a row" {
	{callers outer_%x inner_%x}
} {
	proc inner_%x {} {churn::leaf %n1; set ignored 1}
	proc outer_%x {} {inner_%x; set ignored 1}
	outer_%x
	rename inner_%x {}
	rename outer_%x {}
}
# One Proc all the time: only its Command's entry changes.
proc name_b {} {churn::leaf $::number; set ignored 1}
pair renames "proc renamed" {
	{renames name_%x}
} {
	catch {rename name_a name_%x}
	catch {rename name_b name_%x}
	set ::number %n1
	name_%x
}
pair running "proc renamed while it runs" {
	{running here_%x} {running gone_%x} {running here_%x}
} {
	proc here_%x {} {
		churn::leaf %n1
		rename here_%x gone_%x
		churn::leaf %n2
		rename gone_%x here_%x
		churn::leaf %n3
	}
	here_%x
	rename here_%x {}
}
pair replaced "proc replaced while it runs" {
	{replaced self_%x}
} {
	proc self_%x {} {
		proc self_%x {} {}
		churn::leaf %n1
	}
	self_%x
	rename self_%x {}
}
# The word that a proc was called by keeps its Command in memory, until the word is
# taken for a list.  A Proc takes that place, is gone, and then a Command does.
pair usurped "proc deleted while it runs, others made in its place" {
	{usurped here_%x}
} {
	proc here_%x {} {
		rename here_%x {}
		llength [lindex [info level 0] 0]
		proc brief_%x {} {}
		rename brief_%x {}
		proc usurper_%x {} {}
		churn::leaf %n1
	}
	[string range {here_%x } 0 5]
	rename usurper_%x {}
}
pair spaces "namespace deleted and made" {
	{spaces ::ns_%x::proc}
} {
	namespace eval ::ns_%x {proc proc {} {churn::leaf %n1}}
	::ns_%x::proc
	namespace delete ::ns_%x
}
pair deep_spaces "namespace deleted around a proc that runs" {
	{deep_spaces ::up_%x::in_%x::first ::up_%x::in_%x::second}
	{deep_spaces ::up_%x::in_%x::first ::up_%x::in_%x::again}
} {
	namespace eval ::up_%x::in_%x {
		proc first {} {second; again; set ignored 1}
		proc second {} {churn::leaf %n1}
		proc again {} {churn::leaf %n2}
	}
	::up_%x::in_%x::first
	namespace delete ::up_%x
}
pair doomed_spaces "namespace deleted by a proc in it" {
	{doomed_spaces ::end_%x::proc}
} {
	namespace eval ::end_%x {
		proc proc {} {namespace delete [namespace current]; ::churn::leaf %n1}
	}
	::end_%x::proc
}
# Its namespaces stay, so that no `namespace eval` of them runs: one that is seen was
# made up, from the frame that Tcl compiles a body in.
namespace eval ::comp_a {}
namespace eval ::comp_b {}
set compiled [string repeat {
	if {[llength $args]} {foreach {a b} $args {incr c [expr {$a * $b + 1}]}}
} 50]
pair compiles "proc in a namespace, compiled each time" {
	{compiles ::comp_%x::first ::comp_%x::other}
} {
	proc ::comp_%x::first args "other; $::compiled"
	proc ::comp_%x::other args "churn::leaf %n1; $::compiled"
	::comp_%x::first
	rename ::comp_%x::first {}
	rename ::comp_%x::other {}
}
pair evals "namespace eval" {
	{evals {namespace eval ::ev_%x}}
} {
	namespace eval ::ev_%x {churn::leaf %n1; set ignored 1}
	namespace delete ::ev_%x
}
pair classes "class destroyed and made" {
	{classes {Class_%x act}} {classes Class_%x {Class_%x destructor}}
} {
	oo::class create Class_%x {
		destructor {churn::leaf %n2}
		method act {} {churn::leaf %n1}
	}
	[Class_%x new] act
	Class_%x destroy
}
pair doomed_classes "class destroyed by a method" {
	{doomed_classes {~Doom_%x last|\[tcl frame\]}}
} {
	oo::class create Doom_%x {
		method last {} {Doom_%x destroy; ::churn::leaf %n1}
	}
	[Doom_%x new] last
}
pair heirs "class destroyed by a method, others made in its place" {
	{heirs {~Late_%x last|\[tcl frame\]}}
} {
	oo::class create Late_%x {
		method last {} {
			Late_%x destroy
			oo::class create Heir_%x
			oo::class create Next_%x
			::churn::leaf %n1
			Heir_%x destroy
			Next_%x destroy
		}
	}
	[Late_%x new] last
}
oo::class create Base {method act {} {my run}}
pair objects "object destroyed and made" {
	{objects {Base act} {object_%x run}}
} {
	Base create object_%x
	oo::objdefine object_%x method run {} {churn::leaf %n1}
	object_%x act
	object_%x destroy
}
pair methods "methods of two names in turn" {
	{methods {Base way_%x}}
} {
	oo::define Base method way_%x {} {churn::leaf %n1}
	oo::define Base export way_%x
	[Base new] way_%x
	oo::define Base deletemethod way_%x
	foreach object [info class instances Base] {
		$object destroy
	}
}
pair lambdas "lambdas" {
	{lambdas {apply {arg_%x}}}
} {
	apply [list arg_%x "churn::leaf %n1; # [incr ::serial]"] 1
}
pair coroutines "coroutines" {
	{coroutines {coroutine co_%x} body_%x}
} {
	proc body_%x {} {yield; churn::leaf %n1}
	coroutine co_%x body_%x
	co_%x
	rename body_%x {}
}
pair ghosts "coroutine deleted while it runs, others made in its place" {
	{ghosts ghost_%x}
} {
	proc ghost_%x {} {
		set word [yield]
		rename spirit_%x {}
		llength $word
		proc brief_%x {} {}
		rename brief_%x {}
		proc usurper_%x {} {}
		coroutine wraith_%x yield
		churn::leaf %n1
	}
	coroutine spirit_%x ghost_%x
	set word [string range {spirit_%x } 0 7]
	$word $word
	rename wraith_%x {}
	rename usurper_%x {}
	rename ghost_%x {}
}
pair commands "C command of two names" {
	{commands sort_%x order_%x}
} {
	rename lsort sort_%x
	proc order_%x {a b} {churn::leaf %n1; return 0}
	sort_%x -command order_%x {2 1}
	rename order_%x {}
	rename sort_%x lsort
}
pair kids "interpreter deleted and made" {
	{kids kid_%x within_%x}
} {
	if {[incr ::turn_%x] % 10 == 0} {
		interp create kid_%x
		load $::so Churn kid_%x
		kid_%x eval {proc within_%x {} {churn::leaf %n1}}
		foreach i {1 2 3 4 5} {
			kid_%x eval within_%x
		}
		interp delete kid_%x
	}
}
pair errors "error unwinding, then a leaf" {
	{errors {apply {}}}
} {
	proc fails_%x depth {if {$depth} {fails_%x [incr depth -1]}; error x}
	apply {{} {catch {fails_%x 5}; churn::leaf %n1}}
	rename fails_%x {}
}
pair hops "longjmp over C functions" {
	{hops hop_%x}
} {
	proc hop_%x {} {churn::hop %n1; set ignored 1}
	hop_%x
	rename hop_%x {}
} ::churn::hop
pair leaps "longjmp out of an evaluation" {
	{leaps leap_%x ::churn::protect churn_protected under_%x {apply {}}}
	{leaps leap_%x}
} {
	proc under_%x {} {apply {{} {churn::leaf %n1; churn::leap}}; error "not reached"}
	proc leap_%x {} {churn::protect {under_%x; set ignored 1}; churn::leaf %n2}
	leap_%x
	rename leap_%x {}
}

# Threads: some end by themselves, and one more is made for each; one at a time
# burns until it is killed.
set threads [expr {![catch {package require Thread}]}]
set endings {
	ended {for {set i 0} {$i < 20} {incr i} thread_%x}
	killed {while 1 thread_%x}
}
foreach {ending text} [expr {$threads ? $endings : {}}] {
	foreach x {a b} {
		lappend bodies($ending) [string map [list %x [string index $ending 0]_$x \
			%so $so %n [expect "thread $ending ($x)" \
			"** thread_[string index $ending 0]_$x" ::churn::leaf]] \
			"load %so Churn; proc thread_%x {} {churn::leaf %n}; $text"]
	}
}
set victim {}
proc keep_threads {} {
	global victim bodies
	if {[llength [thread::names]] < 4} {
		foreach body $bodies(ended) {
			thread::create $body
		}
	}
	if {[incr ::rounds_done] % 5 == 1} {
		end_victim
		set bodies(killed) [lreverse $bodies(killed)]
		set victim [thread::create -joinable [lindex $bodies(killed) 0]]
	}
}
proc end_victim {} {
	global victim
	if {$victim ne {}} {
		thread::cancel -unwind $victim
		thread::join $victim
		set victim {}
	}
}
# What a killed thread has to say.
proc ignore args {}
if {$threads} {
	thread::errorproc ignore
}

set out [open $file.part w]
puts $out [join $table \n]
close $out
file rename -force $file.part $file

set end [expr {[clock milliseconds] + int(1000 * $seconds)}]
while {[clock milliseconds] < $end} {
	foreach round $rounds {
		$round
	}
	if {$threads} {
		keep_threads
	}
}
end_victim
while {$threads && [llength [thread::names]] > 1} {
	after 10
}
puts done
