# Calls of all kinds, chosen by a seed.  Each function counts itself: how often it began, and
# how it ended, which it knows before it does.  Begins when a line can be read.  In the end
# writes `*`, because it has all, and a line for each function: name, begun, and how often it
# ended by each way, with tabs between.
#
#   tclsh calls.tcl SEED ROUNDS FILE
lassign $argv seed rounds file
expr {srand($seed)}
array set n {}

# ------------------------------------------------- every way to end a call

proc ret {d} { incr ::n(ret,enter); if {$d > 0} { any [incr d -1] }; incr ::n(ret,return); return $d }
proc fall {d} { incr ::n(fall,enter); if {$d > 0} { any [incr d -1] }; incr ::n(fall,return) }
proc fail {d} { incr ::n(fail,enter); incr ::n(fail,error); error "no $d" }
proc fault {d} { incr ::n(fault,enter); incr ::n(fault,error); expr {$d / 0} }
proc thrown {d} { incr ::n(thrown,enter); incr ::n(thrown,error); throw {A B} $d }
proc passes {d} { incr ::n(passes,enter); incr ::n(passes,error); fail $d }
proc coded {d} { incr ::n(coded,enter); incr ::n(coded,error); return -code error $d }
proc broke {d} { incr ::n(broke,enter); incr ::n(broke,break); return -code break }
proc goes {d} { incr ::n(goes,enter); incr ::n(goes,continue); return -code continue }
proc seven {d} { incr ::n(seven,enter); incr ::n(seven,other); return -code 7 $d }
proc ends {d} { incr ::n(ends,enter); incr ::n(ends,other); return -level 2 $d }
proc ended {d} { incr ::n(ended,enter); incr ::n(ended,return); ends $d; error "not here" }
proc tails {d} { incr ::n(tails,enter); incr ::n(tails,tailcall); tailcall ret $d }
proc chain {d} {
	incr ::n(chain,enter)
	if {$d > 0} { incr ::n(chain,tailcall); tailcall chain [incr d -1] }
	incr ::n(chain,return)
}
proc tail_to_lambda {d} {
	incr ::n(tail_to_lambda,enter)
	incr ::n(tail_to_lambda,tailcall)
	tailcall apply {{left} { incr "::n(apply {left},enter)"; incr "::n(apply {left},return)"; ret 0 }} $d
}
proc caught_tail {d} {
	incr ::n(caught_tail,enter)
	incr ::n(caught_tail,error)
	catch {tailcall ret 0}
	error $d
}
proc late_tail {d} { incr ::n(late_tail,enter); incr ::n(late_tail,tailcall); catch {tailcall ret 0} }
# These meet no loop.
proc stray {d} { incr ::n(stray,enter); incr ::n(stray,error); break }
proc astray {d} { incr ::n(astray,enter); incr ::n(astray,error); continue }
proc tail_fails {d} { incr ::n(tail_fails,enter); incr ::n(tail_fails,tailcall); tailcall fail $d }

# ------------------------------------------------ every way to make a call

namespace eval in { namespace eval deep {} }
proc in::space {d} { incr ::n(::in::space,enter); deep::er $d; incr ::n(::in::space,return) }
proc in::deep::er {d} { incr ::n(::in::deep::er,enter); ::ret $d; incr ::n(::in::deep::er,return) }
proc rec {d} { incr ::n(rec,enter); if {$d > 0} { rec [expr {$d - 1}] }; incr ::n(rec,return) }
proc compare {a b} { incr ::n(compare,enter); incr ::n(compare,return); return [expr {$a - $b}] }
proc sorts {d} { incr ::n(sorts,enter); lsort -command compare {3 1 2 5 4}; incr ::n(sorts,return) }
proc evals {d} {
	incr ::n(evals,enter)
	eval {ret 0}
	eval [list fall 0]
	uplevel 1 {ret 0}
	uplevel #0 [list fall 0]
	namespace eval ::in { deep::er 0 }
	incr ::n(evals,return)
}
proc loops {d} {
	incr ::n(loops,enter)
	foreach i {1 2 3} { if {$i == 2} { goes $i; error "not here" }; if {$i == 3} { broke $i }; ret 0 }
	incr ::n(loops,return)
}
proc lambda {d} {
	incr ::n(lambda,enter)
	apply {{x y} { incr "::n(apply {x y},enter)"; incr "::n(apply {x y},return)"; fall $x }} 0 $d
	incr ::n(lambda,return)
}
proc few {a {b 1} args} { incr ::n(few,enter); incr ::n(few,return) }
proc wrong {d} {
	incr ::n(wrong,enter)
	catch {few}
	catch {ret 1 2 3}
	few $d
	incr ::n(wrong,return)
}

oo::class create Base {
	constructor {} { incr "::n(Base constructor,enter)"; incr "::n(Base constructor,return)" }
	destructor { incr "::n(Base destructor,enter)"; ret 0; incr "::n(Base destructor,return)" }
	method go {d} { incr "::n(Base go,enter)"; ret $d; incr "::n(Base go,return)" }
	method bad {d} { incr "::n(Base bad,enter)"; incr "::n(Base bad,error)"; fail $d }
}
oo::class create Derived {
	superclass Base
	method go {d} { incr "::n(Derived go,enter)"; next $d; my own; incr "::n(Derived go,return)" }
	method bad {d} { incr "::n(Derived bad,enter)"; incr "::n(Derived bad,error)"; next $d }
	method own {} { incr "::n(Derived own,enter)"; incr "::n(Derived own,return)" }
}
proc object {d} {
	incr ::n(object,enter)
	set o [Derived new]
	$o go 0
	catch {$o bad 0}
	$o destroy
	incr ::n(object,return)
}

proc generator {k} { incr ::n(generator,enter); yields $k; incr ::n(generator,return) }
proc yields {k} {
	incr ::n(yields,enter)
	yield
	for {set i 0} {$i < $k} {incr i} { ret 0; yield $i }
	incr ::n(yields,return)
}
# Some end, the others are deleted while they wait.
proc coroutines {d} {
	incr ::n(coroutines,enter)
	set k [expr {int(rand() * 4)}]
	set runs [expr {int(rand() * 6)}]
	coroutine one generator $k
	coroutine two generator 9
	for {set i 0} {$i < $runs && [llength [info commands one]]} {incr i} { one; two }
	if {[llength [info commands one]]} {
		incr ::n(yields,error)
		incr ::n(generator,error)
		rename one {}
	}
	incr ::n(yields,error)
	incr ::n(generator,error)
	rename two {}
	incr ::n(coroutines,return)
}
# Each resumes the other.
proc to_other {other k} {
	incr ::n(to_other,enter)
	yield
	while {[incr k -1] > 0} { yieldto $other }
	incr ::n(to_other,return)
}
proc pingpong {d} {
	incr ::n(pingpong,enter)
	coroutine ping to_other pong 3
	coroutine pong to_other ping 9
	ping
	foreach c {ping pong} {
		if {[llength [info commands $c]]} { incr ::n(to_other,error); rename $c {} }
	}
	incr ::n(pingpong,return)
}

proc redefines {d} {
	incr ::n(redefines,enter)
	foreach by {return error} {
		set end [expr {$by eq "error" ? "error no" : "set by"}]
		proc again {by} "incr ::n(again,enter); incr ::n(again,\$by); $end"
		catch {again $by}
	}
	rename again before
	proc again {by} { incr ::n(again,enter); incr ::n(again,return) }
	again x
	rename before {}
	incr ::n(redefines,return)
}
# The memory of each is another one's next.
proc follows {d} {
	incr ::n(follows,enter)
	foreach i {1 2 3 4 5} {
		set name follows[incr ::follower]
		proc $name {} "incr ::n($name,enter); incr ::n($name,return)"
		foreach k {1 2 3} { $name }
		rename $name {}
	}
	incr ::n(follows,return)
}
# A procedure goes away while it runs.
proc vanishes {d} {
	incr ::n(vanishes,enter)
	proc gone {} { incr ::n(gone,enter); rename gone {}; ret 0; incr ::n(gone,return) }
	gone
	incr ::n(vanishes,return)
}

interp create child
child eval {
	proc inside {d} { incr ::n(inside,enter); if {$d > 0} { outside }; incr ::n(inside,return) }
	proc breaks {} { incr ::n(breaks,enter); incr ::n(breaks,error); error inner }
}
child alias outside ret 0
proc other {d} {
	incr ::n(other,enter)
	child eval [list inside $d]
	catch {interp eval child breaks}
	incr ::n(other,return)
}

set calls {
	ret fall fail fault thrown caught_tail late_tail stray astray follows passes coded broke goes seven ended tails chain tail_to_lambda
	tail_fails in::space rec sorts evals loops lambda wrong object coroutines pingpong redefines
	vanishes other
}
proc any {d} {
	incr ::n(any,enter)
	catch { [lindex $::calls [expr {int(rand() * [llength $::calls])}]] $d }
	incr ::n(any,return)
}

puts ready
flush stdout
gets stdin
for {set i 0} {$i < $rounds} {incr i} { any [expr {int(rand() * 5)}] }
array set n [child eval {array get n}]

set out [open $file w]
puts $out *
foreach key [lsort [array names n *,enter]] {
	set name [string range $key 0 end-6]
	set line [list $name $n($key)]
	foreach how {return error break continue other tailcall jump} {
		lappend line [expr {[info exists n($name,$how)] ? $n($name,$how) : 0}]
	}
	puts $out [join $line \t]
}
close $out
