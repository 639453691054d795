# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Bytecode that runs without calling anything, each proc on lines of its own:
#
#   tclsh spin_lines.tcl TABLE SECONDS
#
# Writes TABLE (proc, first and last line of its loop; separated by tabs), then runs
# the procs in turn.  While it does, a sample of a proc must be on one of its lines.
if {$argc != 2} {
	puts stderr "usage: spin_lines.tcl TABLE SECONDS"
	exit 2
}
lassign $argv file seconds
set rows {}
proc spin {name body} {
	# `body` begins on the line after the call's first one.
	set first [expr {[dict get [info frame -1] line] + 1}]
	proc ::$name {} $body
	set last [expr {$first + [llength [split $body \n]] - 3}]
	lappend ::rows "$name\t$first\t$last"
}
spin numbers {
	for {set i 0} {$i < 30000} {incr i} {
		set x [expr {($i * 7) % 13}]
		if {$x > 11} {
			set y [expr {$x << 2}]
		}
	}
}
spin texts {
	set s {}
	for {set i 0} {$i < 1500} {incr i} {
		append s x
		set n [string length $s]
		if {[string index $s end] eq "y"} {
			set s {}
		}
	}
}
spin lists {
	set l {}
	for {set i 0} {$i < 10000} {incr i} {
		lappend l $i
		set n [llength $l]
		set e [lindex $l end]
	}
	foreach e $l {
		incr n $e
	}
}
spin dicts {
	set d {}
	for {set i 0} {$i < 8000} {incr i} {
		dict set d a $i
		dict incr d b
		set v [dict get $d a]
		set found [dict exists $d c]
	}
}
set out [open $file.new w]
puts $out [join $rows \n]
close $out
file rename -- $file.new $file
set end [expr {[clock seconds] + $seconds}]
while {[clock seconds] < $end} {
	numbers
	texts
	lists
	dicts
}
