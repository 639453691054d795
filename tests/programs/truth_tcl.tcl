# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for Tcl: many call paths, each burning in a leaf of its own.
#
#   tclsh truth_tcl.tcl TRUTH_TCL.SO TABLE SECONDS ?GROUP...?
#   tclsh truth_tcl.tcl TRUTH_TCL.SO --verify ?GROUP...?
#
# The paths stand in groups, truth_tcl_GROUP.tcl beside this file; without names
# all those that need nothing but Tcl.  Writes TABLE (leaf, expected stack in folded
# form without the process name, name of the construct; separated by tabs), then
# takes all paths in turn for SECONDS.  --verify takes each path once and
# compares the Tcl part of what is expected with what `info frame` says in the
# leaf.
#
# What is expected, and why:
#
#  * The main script has no frame, nor has any script evaluated at its level.
#  * A proc is shown by the name it has now: NAME in the global namespace,
#    ::NS::NAME elsewhere.  Imported, renamed, aliased (within an interpreter)
#    and ensemble-dispatched procs are shown as the proc that runs.  A proc that
#    was deleted or replaced while running is shown by the word it was called by.
#  * A lambda is `apply {ARGUMENTS}`, a method `CLASS METHOD` with the class that
#    declares it (with `next`: one frame per implementation); for a method
#    of a single object the object stands for the class.  One that was redefined
#    while it runs keeps its name, if no other implementation has a part in the
#    call; else it may have lost it: `[tcl frame]`.
#  * `namespace eval` and `namespace inscope` make a call frame:
#    `namespace eval ::NS`.  The frames that oo::define and the compiler make are
#    no calls and not shown.  uplevel, eval, catch, try, foreach, subst, source ...
#    evaluate in a frame that is there already, and add none.
#  * A command written in C is shown where its C function is on the native stack:
#    when it re-enters Tcl by C (lsort, vwait, update, time, interp eval, an
#    alias into another interpreter, set with a trace when it is not compiled
#    into bytecode, truth::call...).  Commands that the evaluator runs without
#    C recursion (eval, uplevel, catch, apply, next, interp invokehidden ...) have
#    returned before their body runs, so there is nothing to show.
#  * Before 8.6 the evaluator recurses in C, and every command that evaluates
#    something has its C function on the native stack.  "+NAME" in the frames of a
#    path stands for a command that is shown there, "-NAME" for one that is shown
#    everywhere else.  Lambdas and namespaces are what they are elsewhere, and so are
#    ensembles: what they lead to.  Constructs that a Tcl has not are left out.
#  * Functions of libtcl between these are not shown; truth_outer, truth_inner
#    and truth_..._proc are ordinary C functions and are.
#  * A trace handler stands directly inside the frame that touched the variable.
#  * A coroutine stands as the resumer's frames, then `coroutine NAME`, then its
#    own; NAME is the one it has now.  One that was deleted while it runs has no
#    name any more, and no such frame.
#  * The caller of a tailcall is gone.  Between the end of a proc and the end of
#    what it caused (unset traces, deletions) the time is its caller's.

if {$argc < 2} {
	puts stderr "usage: truth_tcl.tcl SO TABLE SECONDS ?GROUP...?"
	exit 2
}
set groups [lassign $argv so file]
set so [file normalize $so]
set verify [expr {$file eq "--verify"}]
if {!$verify} {
	set groups [lassign $groups seconds]
}
# Has this Tcl all of these commands?
proc has args {
	foreach name $args {
		if {![llength [info commands ::$name]]} {
			return 0
		}
	}
	return 1
}
set recurses [expr {![has tailcall]}]
if {![llength $groups]} {
	set groups {procs evals traces events interps c packages subcommands}
	if {[has oo::class coroutine]} {
		lappend groups objects coroutines
	}
}
set ms [expr {$verify ? -1 : 3}]
load $so Truth

set table {}	;# rows: leaf, frames, construct
set scripts {}

# The frames that this Tcl has.
proc here frames {
	set out {}
	foreach frame $frames {
		set sign [string index $frame 0]
		if {$sign ni {+ -}} {
			lappend out $frame
		} elseif {($sign eq "+") == $::recurses} {
			lappend out [string range $frame 1 end]
		}
	}
	return $out
}
# One more path.  %n in the script stands for the number of its leaf.
proc path {construct script frames {end ::truth::burn}} {
	global table scripts
	# The loop at the end of this file.
	set frames [here [concat +while +foreach +eval $frames]]
	set n [expr {[llength $table] + 1}]
	set leaf [format truth_leaf_%02d $n]
	lappend table [list $leaf [concat $frames $end $leaf] $construct]
	lappend scripts [string map [list %n $n] $script]
}

# A command that is shown with its subcommand; as a pattern, or --verify would take
# it for a method.
proc word {command subcommand} {
	return "~[string map {. \\.} $command] $subcommand"
}

# ------------------------------------------------------- what groups stand on

proc work n {::truth::burn $n $::ms}
namespace eval app {
	proc inner n {::truth::burn $n $::ms}
	proc outer n {inner $n}
}
proc recurse {depth n} {
	if {$depth > 1} {
		recurse [expr {$depth - 1}] $n
	} else {
		::truth::burn $n $::ms
	}
}
proc compare {n a b} {::truth::burn $n $::ms; return 0}
# Fails on the innermost of so many levels.
proc fails depth {
	if {$depth} {
		fails [expr {$depth - 1}]
	}
	error "out of it"
}
set c {truth_outer truth_inner}

# Files that the groups make; gone at the end.
if {$verify} {
	set partname [file join [pwd] truth_tcl.[pid]]
} else {
	set partname [file normalize $file]
}
append partname .d
file mkdir $partname
# The file's name of what was loaded for a package.
proc library package {
	foreach library [info loaded] {
		if {[lindex $library 1] eq $package} {
			return [file tail [lindex $library 0]]
		}
	}
}
# write NAME TEXT: returns the file's name.
proc write {name text} {
	set name [file join $::partname $name]
	file mkdir [file dirname $name]
	set out [open $name w]
	puts $out $text
	close $out
	return $name
}

foreach group $groups {
	source [file join [file dirname [info script]] truth_tcl_$group.tcl]
}

# ------------------------------------------------------------------- verify

# What the interpreter itself says: procs, lambdas and methods, outermost first.
# It says nothing of C commands, namespaces, coroutines and deleted procs.
proc truth_seen n {
	set ::seen {}
	for {set i 1} {$i < [info frame]} {incr i} {
		set frame [info frame $i]
		if {[dict exists $frame proc]} {
			if {[dict get $frame proc] eq "::truth_seen"} continue
			set name [dict get $frame proc]
		} elseif {[dict exists $frame lambda]} {
			set arguments {}
			foreach a [lindex [dict get $frame lambda] 0] {
				lappend arguments [lindex $a 0]
			}
			set name "apply {$arguments}"
		} elseif {[dict exists $frame method]} {
			set of [expr {[dict exists $frame class] ? "class" : "object"}]
			set name "[dict get $frame $of] [dict get $frame method]"
		} else {
			continue
		}
		lappend ::seen $name
	}
}

proc plain name {
	regsub {^::(?!.*::)} $name {} name
	return [string map {<constructor> constructor <destructor> destructor} $name]
}

# Plain names.  Frames of one name in a row count once on both sides: `info frame` has an
# entry for every script of an activation.
proc squeeze names {
	set out {}
	foreach name $names {
		set name [plain $name]
		if {$name ne [lindex $out end]} {
			lappend out $name
		}
	}
	return $out
}

if {$verify} {
	set bad 0
	# What has this name only as long as it runs.
	set meanwhile {moves_later taken_before}
	foreach row $table script $scripts {
		set seen {}
		eval $script
		# Below a function that is called back nothing can be asked, and a
		# name that may be lost here is not lost there.
		if {[string match truth_*_proc [lindex $row 1 end-1]]
		    || [string match "*tcl frame*" [lindex $row 1]]} {
			continue
		}
		set want {}
		foreach name [lindex $row 1] {
			if {$name eq "replaced"} {
				continue
			}
			if {[llength [info procs ::$name]] || $name in $meanwhile
			    || [regexp {^(?!~|namespace |coroutine ).* } $name]} {
				lappend want $name
			}
		}
		set want [squeeze $want]
		set got [squeeze $seen]
		if {$want ne $got} {
			incr bad
			puts "differs: [lindex $row 2]\n  want $want\n  seen $got"
		}
	}
	puts "[llength $table] paths, $bad differ"
	file delete -force $partname
	exit
}

# --------------------------------------------------------------------- run

set out [open $file.part w]
fconfigure $out -encoding utf-8
foreach row $table {
	lassign $row leaf frames construct
	puts $out "$leaf\t[join $frames {;}]\t$construct"
}
close $out
file rename -force $file.part $file

set end [expr {[clock milliseconds] + int(1000 * $seconds)}]
while {[clock milliseconds] < $end} {
	foreach script $scripts {
		eval $script
	}
}
file delete -force $partname
