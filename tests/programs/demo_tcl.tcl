# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# A day at a workshop, simulated again and again: customers arrive, wait for one
# of several benches, and are served in the order of their urgency.  The queue of
# events is in C (demo_ext.c) and calls these procs, which call C again.
#
#   tclsh demo_tcl.tcl DEMO_EXT.SO SECONDS
#
# Which staffing gives waits below the limit at the lowest cost?

lassign $argv so seconds
load [file normalize $so] Demo

oo::class create Bench {
	variable name mean queue busy waits
	constructor {n m} {
		set name $n
		set mean $m
		lassign {0 {} {}} busy queue waits
	}
	method arrive customer {
		lappend queue $customer
		if {!$busy} {
			my serve
		}
	}
	method serve {} {
		set queue [lsort -command ::workshop::by_urgency $queue]
		set queue [lassign $queue customer]
		set busy 1
		lappend waits [expr {[sim::now] - [dict get $customer arrived]}]
		sim::at [sim::exponential $mean] [self] finish $customer
	}
	method finish customer {
		set busy 0
		::workshop::leave $customer
		if {[llength $queue]} {
			my serve
		}
	}
	method length {} {expr {[llength $queue] + $busy}}
	method waits {} {return $waits}
}

namespace eval workshop {
	variable benches {} served 0

	proc by_urgency {a b} {
		expr {[score $b] - [score $a]}
	}
	proc score customer {
		dict with customer {
			expr {int(10 * $urgency + ([sim::now] - $arrived))}
		}
	}
	proc shortest {} {
		variable benches
		lindex [lsort -integer -index 0 \
			[lmap b $benches {list [$b length] $b}]] 0 1
	}
	proc arrival left {
		[shortest] arrive [dict create arrived [sim::now] \
			urgency [expr {rand()}]]
		if {$left} {
			sim::at [sim::exponential 1.0] ::workshop::arrival \
				[expr {$left - 1}]
		}
	}
	proc leave customer {
		variable served
		incr served
	}
	proc quantile {waits q} {
		lindex [lsort -real $waits] [expr {int($q * [llength $waits])}]
	}
	proc day {staff} {
		variable benches
		sim::clear
		set benches [lmap i [lrepeat $staff 0] {Bench new bench 2.8}]
		arrival 2000
		sim::run
		set waits [concat {*}[lmap b $benches {$b waits}]]
		foreach b $benches {
			$b destroy
		}
		return [quantile $waits 0.95]
	}
}

proc compare_staffing {} {
	foreach staff {3 4 5} {
		dict lappend result $staff [workshop::day $staff]
	}
	return $result
}

set end [expr {[clock seconds] + $seconds}]
while {[clock seconds] < $end} {
	set result [compare_staffing]
}
puts "95 % wait at most, by staff: $result; $workshop::served served in all"
