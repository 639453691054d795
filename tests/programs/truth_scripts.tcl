# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for the main script, with source lines: each command burns once.
#
#   tclsh truth_scripts.tcl TRUTH_TCL.SO TABLE
#
# TABLE is as in truth_tcl.tcl.  A row is written just before its command, whose place
# `info frame` says: it begins in the next line.  "main" stands for the script's frame.

lassign $argv so file
load $so Truth
set self [file normalize [info script]]
set ms 60
set table [open $file w]
set n 0
# A place so many lines further down.
proc at further {
	return "$::self:[expr {[dict get [info frame -1] line] + $further}]"
}
# The script's frame; its command is so many lines further down.
proc main further {
	set line [expr {[dict get [info frame -2] line] + $further}]
	return "source [file tail $::self] ($::self:$line)"
}
proc row {construct further args} {
	set leaf [format truth_leaf_%02d [incr ::n]]
	if {$further ne {}} {
		set args [linsert $args 0 [main $further]]
	}
	puts $::table [join [list $leaf [join [concat $args ::truth::burn $leaf] {;}] \
		$construct] \t]
}
proc work {} {
	::truth::burn $::n $::ms
}
set work "work ([at -2])"
proc script {name text} {
	set out [open $::file.$name w]
	puts $out $text
	close $out
	return [file normalize $::file.$name]
}
proc place {path line} {
	return "source [file tail $path] ($path:$line)"
}

# Until the profiler knows this process.
::truth::burn 0 1000

row "top level" 1
::truth::burn $n $ms
row "proc" 1 $work
work
row "several lines" 2
set ignored 1; \
	::truth::burn $n $ms
row "command in a word" 2 $work
set ignored [concat a \
	[work]]
row "command in words of a command in a word" 3
set ignored [concat a \
	[concat b \
	[::truth::burn $n $ms]] c]
row "loop" 2
while {![info exists done]} {
	::truth::burn $n $ms
	set done 1
}
row "loops in loops" 3
foreach a {1} {
	if {$a} {
		::truth::burn $n $ms
	}
}
row "C command" 1 lsort "apply {a b} ([at 2])"
lsort -command {apply {{a b} {
	::truth::burn $::n $::ms
	return 0
}}} {2 1}
row "eval" 3
eval {
	set ignored 1
	::truth::burn $n $ms
}
set part [script part "set ignored 1\n::truth::burn \$::n \$::ms"]
row "source" 1 [place $part 2]
source $part
row "source in a word" 1 [place $part 2]
set ignored [source $part]
row "source by C" 1 ::truth::evalfile truth_outer truth_inner [place $part 2]
truth::evalfile $part
row "source in a namespace" 2 \
	"namespace eval ::app ([at 2])" [place $part 2]
namespace eval app {
	source $::part
}
set outer [script outer "\n\nset ignored \[source $part\]"]
row "source in a source" 1 [place $outer 3] [place $part 2]
source $outer
set defines [script defines "proc there {} {\n::truth::burn \$::n \$::ms\n}\n\nthere"]
row "proc of a source" 1 [place $defines 5] "there ($defines:2)"
source $defines
row "proc of another script" 1 "there ($defines:2)"
there
set fails [script fails "::truth::burn \$::n \$::ms\nerror fails"]
row "source that fails" 1 [place $fails 1]
catch {source $fails}
row "after an error" 1
::truth::burn $n $ms
row "event" 2 vwait [place $part 2]
after 0 [list source $part]\;[list set over 1]
vwait over
# The command of a trace counts its lines itself, and says that it is of the script.
proc on_read args {
	row "trace in a word" {} "source [file tail $::self] ($::self:[dict get \
		[info frame -1] line])" "on_read ([at 1])"
	::truth::burn $::n $::ms
}
trace add variable watched read on_read
set watched 1
set ignored $watched
interp create child
load $so Truth child
child eval [list set n [expr {$n + 1}]]
child eval [list set ms $ms]
row "child interpreter" 1 "interp eval" [place $part 2]
interp eval child [list source $part]
row "alias" 2 child self_work $work
interp alias child self_work {} work
child eval self_work
if {![catch {package require Thread}]} {
	row "thread" {} ** [place $part 2]
	thread::join [thread::create -joinable \
		"load {$so} Truth; set n $n; set ms $ms; source {$part}"]
}
close $table
