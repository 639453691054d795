# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The event loop, channels written in Tcl, commands that call scripts.

path "lsort -command" {lsort -command {compare %n} {2 1}} {lsort compare}
proc sorts n {lsort -command [list apply {{n a b} {compare $n $a $b}} $n] {2 1}}
path "lsort with a lambda, in a proc" {sorts %n} \
	{sorts lsort {apply {n a b}} compare}
proc sort_again {depth n a b} {
	if {$depth} {
		lsort -command [list sort_again [incr depth -1] $n] {2 1}
	} else {
		::truth::burn $n $::ms
	}
	return 0
}
path "lsort, 5 nested" {sort_again 5 %n 2 1} \
	[concat [lrepeat 5 sort_again lsort] sort_again]
proc times n {time {work $n} 1}
namespace eval app {proc orders {n a b} {::truth::burn $n $::ms; return 0}}
proc sorts_inscope n {
	lsort -command [list namespace inscope ::app [list orders $n]] {2 1}
	return
}
path "lsort in a proc, namespace inscope in lsort" {sorts_inscope %n} \
	{sorts_inscope lsort {namespace eval ::app} ::app::orders}
proc inscope_sorts n {
	namespace eval ::app [list lsort -command [list orders $n] {2 1}]
	return
}
path "namespace eval in a proc, lsort in it" {inscope_sorts %n} \
	{inscope_sorts {namespace eval ::app} lsort ::app::orders}
proc both_inscope n {
	namespace eval ::app [list lsort -command \
		[list namespace inscope ::app [list orders $n]] {2 1}]
	return
}
path "the same namespace in lsort and around it" {both_inscope %n} {
	both_inscope {namespace eval ::app} lsort {namespace eval ::app}
	::app::orders
}
path "time" {times %n} {times time work}


proc handle n {::truth::burn $n $::ms; set ::done 1}
path "after and vwait" {after 0 {handle %n}; vwait done} {vwait handle}
proc waits n {after 0 [list handle $n]; vwait ::done}
path "vwait in a proc" {waits %n} {waits vwait handle}
proc handle_nested n {waits $n; set ::done_outer 1}
path "vwait in vwait" {after 0 {handle_nested %n}; vwait done_outer} \
	{vwait handle_nested waits vwait handle}
path "after idle and update" {after idle {handle %n}; update} {update handle}
set pipes [expr {![catch {chan pipe} pipe]}]
if {$pipes} {
	lassign $pipe pipe_out pipe_in
	proc on_writable n {
		fileevent $::pipe_in writable {}
		handle $n
	}
	path "fileevent" {fileevent $pipe_in writable {on_writable %n}; vwait done} \
		{vwait on_writable handle}
}
proc reflect {op channel args} {
	switch $op {
		initialize {return {initialize finalize watch read}}
		read {::truth::burn $::pending $::ms; return x}
	}
}
set reflected [chan create read reflect]
fconfigure $reflected -buffering none -translation binary
path "channel written in Tcl" {set pending %n; read $reflected 1} {read reflect}


if {[llength [info commands timerate]]} {
	proc timerates n {timerate {work $n} 0 1; return}
	path "timerate" {timerates %n} {timerates timerate work}
}
path "lsort, 30 nested" {sort_again 30 %n 2 1} \
	[concat [lrepeat 30 sort_again lsort] sort_again]

# ------------------------------------------------------------- more handlers

if {$pipes} {
	proc on_readable n {
		fileevent $::pipe_out readable {}
		read $::pipe_out 1
		handle $n
	}
	fconfigure $pipe_out -blocking 0 -buffering none
	fconfigure $pipe_in -buffering none
	path "readable" {
		chan event $pipe_out readable {on_readable %n}
		puts -nonewline $pipe_in x
		vwait done
	} {vwait on_readable handle}
}
path "after 0 in after 0" {
	after 0 {after 0 {handle %n}}; vwait done
} {vwait handle}
path "after with a lambda" {
	after 0 {apply {n {handle $n; return}} %n}; vwait done
} {vwait {apply {n}} handle}
proc idles n {after idle [list handle $n]; update idletasks}
path "update idletasks in a proc" {idles %n} \
	[list idles [word update idletasks] handle]
proc bgerror_here {n message options} {handle $n}
path "background error" {
	interp bgerror {} {bgerror_here %n}
	after 0 {error background}
	vwait done
	interp bgerror {} ::tcl::Bgerror
} {vwait bgerror_here handle}
proc accepts {n channel args} {close $channel; handle $n}
path "socket's accept" {
	set server [socket -server {accepts %n} -myaddr 127.0.0.1 0]
	set client [socket -async 127.0.0.1 [lindex [fconfigure $server -sockname] 2]]
	vwait done
	close $client
	close $server
} {vwait accepts handle}
if {$pipes} {
	proc copied {n args} {handle $n}
	path "chan copy -command" {
		lassign [chan pipe] from to
		puts $to text
		close $to
		set sink [open /dev/null w]
		chan copy $from $sink -command {copied %n}
		vwait done
		close $from
		close $sink
	} {vwait copied handle}
}

# ------------------------------------------------- channels written in Tcl

proc sink {op channel args} {
	switch $op {
		initialize {return {initialize finalize watch write}}
		write {
			if {$::pending} {
				::truth::burn $::pending $::ms
			}
			return [string length [lindex $args 0]]
		}
		finalize {
			if {$::pending} {
				::truth::burn $::pending $::ms
			}
		}
	}
}
set pending 0
set written_to [chan create write sink]
fconfigure $written_to -buffering none -translation binary
proc puts_it n {
	set ::pending $n
	puts -nonewline $::written_to x
	set ::pending 0
}
path "write to a channel written in Tcl" {puts_it %n} {puts_it puts sink}
proc closes n {
	set ch [chan create write sink]
	set ::pending $n
	close $ch
	set ::pending 0
}
path "close of a channel written in Tcl" {closes %n} {closes close sink}
proc transform {op channel args} {
	switch $op {
		initialize {return {initialize finalize read write flush clear drain}}
		read - write {
			if {$::pending} {
				::truth::burn $::pending $::ms
			}
			return [lindex $args 0]
		}
	}
}
if {![catch {chan push} message] || [string match "wrong # args*" $message]} {
	set through [open /dev/null w]
	fconfigure $through -buffering none -translation binary
	chan push $through transform
	proc puts_through n {
		set ::pending $n
		puts -nonewline $::through x
		set ::pending 0
	}
	path "transform, write" {puts_through %n} {puts_through puts transform}
	set zeros [open /dev/zero r]
	fconfigure $zeros -buffering none -translation binary -buffersize 10
	chan push $zeros transform
	proc reads_through n {
		set ::pending $n
		read $::zeros 20
		set ::pending 0
	}
	path "transform, read" {reads_through %n} {reads_through read transform}
}
if {[package vsatisfies [info patchlevel] 9]} {
	proc upper {n match} {::truth::burn $n $::ms; return X}
	proc replaces n {regsub -command x axb [list upper $n]; return}
	path "regsub -command" {replaces %n} {replaces regsub upper}
}
