# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Scripts of `namespace eval` that do nothing but call what Tcl looks up in another
# namespace: ensembles, aliases, `tailcall`, `yieldto`, `namespace upvar`, and `unknown`
# for an ensemble.  Meanwhile Tcl writes that namespace into the script's frame.
#
#   tclsh truth_tcl_spaces.tcl TRUTH_TCL.SO TABLE SECONDS N
#
# N: how many such scripts stand in each other.  TABLE is that of random_tcl.tcl.

lassign $argv so file seconds n
proc spin1 {} {for {set i 0} {$i < 10} {incr i} {}}
namespace eval ::en2 {
	namespace ensemble create -map {part ::en2::part2 gone ::en2::gone2}
	variable found2 1
	proc part2 {} {::spin1}
	proc tail2 {} {tailcall tailed2}
	proc tailed2 {} {::spin1}
}
interp alias {} ::al3 {} ::spin1
proc un4 args {spin1}
namespace unknown ::un4
proc out5 {} {spin1}
set calls {
	::en2 part
	::al3
	::en2::tail2
	::en2 gone
	::co6
	namespace upvar ::en2 found2 here2
}
namespace eval ::in7 {namespace unknown ::un4}
proc body6 {} "namespace eval ::in7 {while 1 {
	::en2 part
	::al3
	::en2::tail2
	::en2 gone
	yieldto ::out5
}}"
coroutine ::co6 body6

set rows {}
# All stacks that the calls make on this one.
proc called stack {
	set inside [concat $stack [list {coroutine co6} body6]]
	lappend ::rows $stack $inside [concat $stack out5] [concat $stack out5 spin1]
	foreach from [list $stack [concat $inside {{namespace eval ::in7}}]] {
		lappend ::rows $from [concat $from spin1]
		foreach name {::en2::part2 ::en2::tail2 ::en2::tailed2 un4} {
			lappend ::rows [concat $from $name] [concat $from $name spin1]
		}
	}
}

# The outermost loop is in a script itself: without its frame no stack is right.
set stack main0
set script {}
for {set i 1} {$i <= $n} {incr i} {
	namespace eval ::space$i {namespace unknown ::un4}
	namespace eval ::list$i {namespace unknown ::un4}
	lappend stack "namespace eval ::space$i"
	called $stack
	called [concat $stack [list "namespace eval ::list$i"]]
}
for {set i $n} {$i} {incr i -1} {
	set lists {}
	foreach call [split [string trim $calls] \n] {
		lappend lists "namespace eval ::list$i \[list [string trim $call]\]"
	}
	# What runs in the global namespace has no frame.
	set script "while {\[clock milliseconds\] < \$::end} {
		$calls
		[join $lists \n]
		namespace eval :: {$calls}
		$script
		[expr {$i > 1 ? "break" : ""}]
	}"
	set script "namespace eval ::space$i {$script}"
}
set out [open $file.part w]
foreach row $rows {
	puts $out "-\t[join $row {;}]"
}
close $out
file rename $file.part $file
proc main0 seconds "
	set ::end \[expr {\[clock milliseconds\] + int(1000 * \$seconds)}\]
	$script"
main0 $seconds
