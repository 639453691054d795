# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for Tcl's source lines: what `jpbpf --lines` must show.
#
#   tclsh truth_lines.tcl TRUTH_TCL.SO TABLE SECONDS
#   tclsh truth_lines.tcl TRUTH_TCL.SO --verify
#
# Nobody has counted lines here: before it burns, the program takes every path with
# a proc in place of truth::burn that asks `info frame` for each level of the stack.
# Of what is expected only the frames are written down, as in truth_tcl.tcl; the
# places come from the interpreter.  TABLE and SECONDS are those of truth_tcl.tcl.
# --verify does so once more instead of burning and prints the table; it
# fails when an answer differs from the first one, or fits no frame.
#
# What is expected, and why:
#
#  * A frame is a call frame, `info frame` has an entry for each script that runs in
#    it: the body, what it evaluates, files that it sources.  The innermost of
#    them says where the frame is.
#  * When such a script was evaluated by C code (truth::call, lsort ...), the command
#    stands in the stack inward of the frame; then the frame is where that command
#    was called.  The same for traces, where nothing stands between: a "|" in the
#    path says so.
#  * (FILE:LINE) for `type source`, (proc:LINE) for `type proc`, (eval:LINE) for
#    `type eval`.  Commands written in C and coroutines are nowhere.
#  * Where bytecode itself touches a variable, the interpreter does not know its
#    place: a "@FILE:LINE" in the path says where the `set` that runs a trace stands.
#  * 8.5 does not know where a command stands whose first word is made: "@?".
#  * uplevel evaluates in the call frame of the one who calls uplevel, with the
#    variables of another; so says `info frame`.
#  * The script of a file is a frame, `source FILE`, in the call frame that is there, and
#    has the places that follow its command; outermost stands the main script.
#    8.5 has the command written in C in its place.

if {$argc < 2} {
	puts stderr "usage: truth_lines.tcl SO TABLE SECONDS"
	exit 2
}
proc asks {} {eval {info frame 0}}
if {![dict exists [asks] proc]} {
	puts stderr "the `info frame` of Tcl [info patchlevel] says too little"
	exit 2
}
lassign $argv so file seconds
set so [file normalize $so]
set verify [expr {$file eq "--verify"}]
set ms 3
load $so Truth

set paths {}	;# each: construct, frames, script
set c {truth_outer truth_inner}

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
# The frames that this Tcl has; see truth_tcl.tcl.
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
proc path {construct script frames} {
	global paths
	set frames [here $frames]
	set n [expr {[llength $paths] + 1}]
	lappend paths [list $construct $frames [string map [list %n $n] $script]]
}

# Files that must lie where this process may write.
if {$verify} {
	set made [file join [pwd] truth_lines.[pid]]
} else {
	set made $file.made
}
proc make_file {suffix text} {
	set out [open $::made$suffix w]
	puts -nonewline $out $text
	close $out
	return $::made$suffix
}

set here [file dirname [file normalize [info script]]]
set main [file tail [info script]]
foreach group {paths calls scripts} {
	source [file join $here truth_lines_$group.tcl]
}

# --------------------------------------------------- what the interpreter says

proc plain name {
	regsub {^::(?!.*::)} $name {} name
	return $name
}

# Whose call frame an entry runs in; "" for the outermost.
proc owner {entry level} {
	if {[dict exists $entry proc]} {
		return [plain [dict get $entry proc]]
	} elseif {[dict exists $entry lambda]} {
		set arguments {}
		foreach a [lindex [dict get $entry lambda] 0] {
			lappend arguments [lindex $a 0]
		}
		return "apply {$arguments}"
	} elseif {[dict exists $entry method]} {
		set of [expr {[dict exists $entry class] ? "class" : "object"}]
		set method [string trim [dict get $entry method] <>]
		return "[plain [dict get $entry $of]] $method"
	} elseif {$level ne {?} && $level > 0} {
		return namespace
	}
}

proc place entry {
	set line [dict get $entry line]
	switch [dict get $entry type] {
		source {
			set file [string map {; \\x3b { (} { \x28}} [dict get $entry file]]
			return " ($file:$line)"
		}
		proc {return " (proc:$line)"}
		eval {return " (eval:$line)"}
	}
}

# In place of truth::burn: groups of entries with one call frame, outermost
# first, each {owner {command place command place ...}}.
proc ask {n ms} {
	set top [info level]
	set groups {}
	set last {}
	for {set i 1} {$i < [info frame]} {incr i} {
		set entry [info frame $i]
		set level ?
		if {[dict exists $entry level]} {
			set level [expr {$top - [dict get $entry level]}]
		}
		set owner [owner $entry $level]
		set command {}
		if {[dict exists $entry cmd]} {
			set command [dict get $entry cmd]
		}
		if {"$level $owner" ne $last} {
			lappend groups [list $owner {}]
			set last "$level $owner"
		}
		lset groups end 1 [concat [lindex $groups end 1] \
			[list $command [place $entry]]]
	}
	dict set ::seen $n $groups
	return 1
}

# The first word of a command, without leading colons.
proc first_word command {
	regexp {^\s*(?:::)?(\S*)} $command - word
	return $word
}

# Is this expected frame one that `info frame` knows?
proc is_call_frame frame {
	return [expr {![string match {coroutine *} $frame]
		      && ![string match {source *} $frame]
		      && ([llength [info procs ::$frame]]
			  || [string match {* *} $frame])}]
}

# Where in a call frame's entries the next script comes in.
proc script_in entries {
	for {set i 0} {$i < [llength $entries]} {incr i 2} {
		if {[regexp {^\s*(truth::callv )?(source|truth::evalfile|tails_to_source)\M} \
				[lindex $entries $i]]} {
			return $i
		}
	}
	error "no script in $entries"
}

# The place of a frame: the innermost, or that of the C command inward of it.
# After "|" the innermost is the call of what stands next; "@FILE:LINE" says it itself.
proc place_of {entries inner next} {
	if {$inner eq "@?"} {
		return {}
	}
	if {[string match @* $inner]} {
		return " ([string range $inner 1 end])"
	}
	if {$inner eq "|"} {
		if {[first_word [lindex $entries end-1]] eq [first_word $next]} {
			return [lindex $entries end-2]
		}
	} elseif {[string match {source *} $inner]} {
		return [lindex $entries [script_in $entries]+1]
	} elseif {$inner ne {} && ![is_call_frame $inner]} {
		foreach {command place} $entries {
			if {[first_word $command] eq [first_word $inner]} {
				return $place
			}
		}
	}
	return [lindex $entries end]
}

# The frames of a path with their places.
proc placed {construct frames groups} {
	set out {}
	set seen {}
	for {set i 0} {$i < [llength $frames]} {incr i} {
		set frame [lindex $frames $i]
		if {$frame eq "|" || [string match @* $frame]} {
			continue
		}
		if {[string match {source *} $frame]} {
			if {[llength $out]} {
				set entries [lrange $entries [script_in $entries]+2 end]
			} else {
				set entries [lindex $groups 0 1]
			}
			lappend out $frame[place_of $entries \
				[lindex $frames $i+1] [lindex $frames $i+2]]
			continue
		}
		if {![is_call_frame $frame]} {
			lappend out $frame
			continue
		}
		set want $frame
		if {[string match {namespace eval *} $frame]} {
			set want namespace
		}
		# Scripts of the main level, and of frames that stand already.
		while {[llength $groups]} {
			set groups [lassign $groups group]
			lassign $group owner entries
			if {$owner eq $want} {
				break
			}
			if {$owner ne {} && $owner ni $seen} {
				error "$construct: $owner is not in $frames"
			}
			set owner {}
		}
		if {$owner ne $want} {
			error "$construct: there is no $frame"
		}
		lappend seen $owner
		lappend out $frame[place_of $entries [lindex $frames $i+1] \
			[lindex $frames $i+2]]
	}
	foreach group $groups {
		if {[lindex $group 0] ne {} && [lindex $group 0] ni $seen} {
			error "$construct: [lindex $group 0] is not in $frames"
		}
	}
	return $out
}

# Scripts are always run from here: a script that is compiled again elsewhere
# could have other places.
set turn {
	foreach path $paths {
		eval [lindex $path 2]
	}
}
proc ask_begin {} {
	set ::seen {}
	rename ::truth::burn ::truth::burn_in_c
	rename ::ask ::truth::burn
}
proc ask_end {} {
	rename ::truth::burn ::ask
	rename ::truth::burn_in_c ::truth::burn
	set table {}
	set n 0
	foreach path $::paths {
		lassign $path construct frames
		incr n
		if {![dict exists $::seen $n]} {
			error "$construct: it does not burn"
		}
		set leaf [format truth_leaf_%02d $n]
		set stack [placed $construct [concat [here [list "-source $::main"]] \
			$frames] [dict get $::seen $n]]
		set stack [concat [here {+while +eval +foreach +eval}] $stack]
		lappend table [join [list $leaf \
			[join [concat $stack ::truth::burn $leaf] {;}] $construct] \t]
	}
	return $table
}

# What is to be done after a turn; the first one compiles what is compiled only once.
set turns 0
proc another_turn {} {
	global turns table verify again
	switch [incr turns] {
		1 {}
		2 {
			set table [ask_end]
			if {$verify} {ask_begin} else {write_table}
		}
		default {
			if {$verify} {
				set again [ask_end]
				return 0
			}
			return [expr {[clock milliseconds] < $::end}]
		}
	}
	return 1
}
proc write_table {} {
	global file table
	set out [open $file.part w]
	fconfigure $out -encoding utf-8
	puts $out [join $table \n]
	close $out
	file rename -force $file.part $file
	set ::end [expr {[clock milliseconds] + int(1000 * $::seconds)}]
}

# All turns are run by the same command: its place is the main script's.
ask_begin
while 1 {
	eval $turn
	if {![another_turn]} break
}
file delete {*}[glob -nocomplain $made*]
if {$verify} {
	set bad 0
	foreach row $table same $again {
		puts $row
		if {$row ne $same} {
			puts "differs the next time: $same"
			incr bad
		}
	}
	puts "[llength $table] paths, $bad differ"
	exit $bad
}
