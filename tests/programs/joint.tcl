# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# A program of wish in which each turn of the event loop goes through a button, a widget
# in Tcl, an object with an id for a name, and a comparison that lsort calls.

set long [string repeat parts 20000]
for {set i 0} {$i < 30} {incr i} {
	lappend parts [expr {$i * 7919 % 997}]
}
proc order {a b} {
	string compare -nocase $::long$a $::long$b
}
proc part {method a b} {
	switch $method {
		sort {order $a $b}
	}
}
proc domDoc0x55d0 {method} {
	lsort -command {part sort} $::parts
}
proc board {method document} {
	string length [$document $method]
}
proc .w {method args} {
	foreach one [list $method] {
		if {[catch {eval [list board $one] $args} result]} {
			error $result
		}
	}
}
pack [button .b -command {.w Action domDoc0x55d0}]
proc 1398tick {} {
	.b invoke
	after 1 1398tick
}
after 1 1398tick
