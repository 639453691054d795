# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# A random program in Tcl, and every stack that it can have.
#
#   tclsh random_tcl.tcl TRUTH_TCL.SO TABLE SECONDS SEED
#
# The program is a tree.  A node is one way to call something: a proc, a method, a
# coroutine, lsort with a command, C code that evaluates a script, ...  Its name occurs
# nowhere else, so the innermost node of a stack says what all the frames outward of it
# must be, wherever the sample was taken.  A coroutine that is resumed from several places
# has several such lists, and so has what it calls.
#
# TABLE: lines `leaf TAB stack`; leaf is `-` for a stack that may end anywhere else than in
# a leaf (see tests/root/whole).  What frames are called is told in truth_tcl.tcl.

lassign $argv so file seconds seed
load [file normalize $so] Truth
expr {srand($seed)}
set most 160	;# nodes
set nodes 0
set rows {}

proc chance of {expr {rand() < $of}}
proc pick list {lindex $list [expr {int(rand() * [llength $list])}]}
proc number {} {incr ::nodes}

# These frames may stand inward of each of the stacks: the new stacks.
proc legal {stacks args} {
	set out {}
	foreach stack $stacks {
		foreach frame $args {
			lappend stack $frame
			lappend ::rows [list - $stack]
		}
		lappend out $stack
	}
	return $out
}

# A script that does something on these stacks.  yields: the stacks that a `yield` in it
# leads back to; empty: it must not yield.
proc body {stacks depth yields} {
	set out {}
	set n [number]
	for {set parts [expr {1 + int(rand() * 3)}]} {$parts} {incr parts -1} {
		switch [pick {spin leaf leaf node node node node yield}] {
			spin {
				lappend out "for {set i$n 0} {\$i$n < 40} {incr i$n} {}"
			}
			leaf {
				if {$n < 400} {
					set leaf [format truth_leaf_%02d $n]
					foreach stack $stacks {
						lappend ::rows [list $leaf \
							[concat $stack ::truth::turn $leaf]]
					}
					lappend out "::truth::turn $n 400"
				}
			}
			node {
				if {$depth && $::nodes < $::most} {
					lappend out [node $stacks [expr {$depth - 1}] $yields]
				}
			}
			yield {
				if {[llength $yields]} {
					lappend out yield
				}
			}
		}
	}
	lappend out {set done 0}
	return [join $out \n]
}

# A node below these stacks: the script that calls it.
proc node {stacks depth yields} {
	kind_[pick $::kinds] $stacks $depth $yields [number]
}

# What a proc of this name does, and its definition.
proc defined {name shown stacks depth yields {arguments args}} {
	proc $name $arguments [body [legal $stacks $shown] $depth $yields]
}

proc kind_proc {stacks depth yields n} {
	defined ::n$n n$n $stacks $depth $yields
	return ::n$n
}
proc kind_deep {stacks depth yields n} {
	set levels [expr {2 + int(rand() * 30)}]
	for {set i 0} {$i < $levels} {incr i} {
		set stacks [legal $stacks n$n]
	}
	proc ::n$n left "if {\$left} {::n$n \[incr left -1\]} else {[body $stacks $depth $yields]}"
	return "::n$n [expr {$levels - 1}]"
}
proc kind_namespace {stacks depth yields n} {
	namespace eval ::ns$n {}
	defined ::ns${n}::p ::ns${n}::p $stacks $depth $yields
	return ::ns${n}::p
}
proc kind_list {stacks depth yields n} {
	namespace eval ::ns$n {}
	defined ::n$n n$n [legal $stacks "namespace eval ::ns$n"] $depth $yields
	return "namespace eval ::ns$n ::n$n"
}
proc kind_script {stacks depth yields n} {
	namespace eval ::ns$n {}
	set stacks [legal $stacks "namespace eval ::ns$n"]
	return "namespace eval ::ns$n {[body $stacks $depth $yields]}"
}
proc kind_inscope {stacks depth yields n} {
	namespace eval ::ns$n {}
	defined ::n$n n$n [legal $stacks "namespace eval ::ns$n"] $depth $yields
	return "namespace inscope ::ns$n ::n$n"
}
proc kind_ensemble {stacks depth yields n} {
	namespace eval ::ns$n {
		namespace export *
		namespace ensemble create
	}
	defined ::ns${n}::p ::ns${n}::p $stacks $depth $yields
	return "::ns$n p"
}
proc kind_lambda {stacks depth yields n} {
	set body [body [legal $stacks "apply {a$n}"] $depth $yields]
	return "apply {a$n {$body}} 0"
}
proc kind_function {stacks depth yields n} {
	defined ::tcl::mathfunc::f$n ::tcl::mathfunc::f$n $stacks $depth $yields
	return "expr {f${n}()}"
}
proc kind_alias {stacks depth yields n} {
	interp alias {} ::a$n {} ::n$n
	defined ::n$n n$n $stacks $depth $yields
	return ::a$n
}
proc kind_tailcall {stacks depth yields n} {
	defined ::t$n t$n $stacks $depth $yields
	proc ::n$n {} "[body [legal $stacks n$n] 0 {}]\ntailcall ::t$n"
	return ::n$n
}
proc kind_method {stacks depth yields n} {
	oo::class create ::B$n
	oo::class create ::C$n [list superclass ::B$n]
	set stacks [legal $stacks "C$n m"]
	oo::define ::B$n method m {} [body [legal $stacks "B$n m"] $depth $yields]
	oo::define ::C$n method m {} "[body $stacks 0 $yields]\nnext"
	::C$n create ::o$n
	return "::o$n m"
}
proc kind_constructor {stacks depth yields n} {
	oo::class create ::C$n
	oo::define ::C$n constructor {} [body [legal $stacks "C$n constructor"] $depth {}]
	return "\[::C$n new\] destroy"
}

# No frame of their own.
proc kind_same {stacks depth yields n} {
	set body [body $stacks $depth $yields]
	return [pick [list "eval {$body}" "catch {$body}" "uplevel 0 {$body}" \
		"foreach x$n {1 2} {$body}" "if {\[set done 1\]} {$body}" \
		"try {$body} finally {set done 1}" "switch a {a {$body}}" \
		"dict for {k v} {a 1} {$body}" "subst {\[$body\]}"]]
}
proc kind_uplevel {stacks depth yields n} {
	set stacks [legal $stacks u$n]
	proc ::u$n {} [list uplevel [pick {1 #0}] [body $stacks $depth $yields]]
	return ::u$n
}
proc kind_error {stacks depth yields n} {
	proc ::n$n {} "[body [legal $stacks n$n] $depth $yields]\nerror no"
	return "catch ::n$n"
}
proc kind_nr {stacks depth yields n} {
	return "::truth::nr {[node $stacks $depth $yields]}"
}

# By C code.
proc kind_sort {stacks depth yields n} {
	proc ::n$n {a b} "[body [legal $stacks lsort n$n] $depth {}]\nset done 0"
	return "lsort -command ::n$n {2 1}"
}
proc kind_time {stacks depth yields n} {
	defined ::n$n n$n [legal $stacks time] $depth {}
	return "time ::n$n 2"
}
proc kind_call {stacks depth yields n} {
	set way ::truth::[pick {call callobj callglobal callv eval globaleval record direct}]
	defined ::n$n n$n [legal $stacks $way truth_outer truth_inner] $depth {}
	return "$way ::n$n"
}
proc kind_tower {stacks depth yields n} {
	set levels [expr {2 + int(rand() * 10)}]
	for {set i 1} {$i < $levels} {incr i} {
		set stacks [legal $stacks n$n ::truth::callobj truth_outer truth_inner]
	}
	set stacks [legal $stacks n$n]
	proc ::n$n left "if {\$left} {
		::truth::callobj \[list ::n$n \[incr left -1\]\]; set done 1
	} else {[body $stacks $depth {}]}"
	return "::n$n [expr {$levels - 1}]"
}
proc kind_trace {stacks depth yields n} {
	defined ::n$n n$n $stacks $depth {}
	set ::v$n 0
	trace add variable ::v$n write ::n$n
	return "set ::v$n 1"
}
proc kind_event {stacks depth yields n} {
	defined ::n$n n$n [legal $stacks update] $depth {}
	return "after 0 ::n$n; update"
}
proc kind_interp {stacks depth yields n} {
	set stacks [legal $stacks kid$n up$n]
	interp create ::kid$n
	interp alias ::kid$n ::up$n {} ::n$n
	defined ::n$n n$n $stacks $depth {}
	return "::kid$n eval ::up$n"
}

# A coroutine, resumed here, by lsort and by C code, and at the end deleted where it
# stands.  Tcl then leaves its procs one by one; until the last the coroutine has its name
# (generic/tclBasic.c, core-8-6-13, Tcl_DeleteCommandFromToken()) or, in newer ones, has not.
proc kind_coroutine {stacks depth yields n} {
	proc ::r$n {a b} "catch ::co$n\nset done 0"
	set from [concat $stacks [legal $stacks lsort r$n] \
		[legal $stacks ::truth::callobj truth_outer truth_inner]]
	set deleted [legal $stacks rename]
	set inside [concat [legal [concat $from $deleted] "coroutine co$n"] $deleted]
	defined ::n$n n$n $inside $depth $from
	return "coroutine ::co$n ::n$n; catch ::co$n
		lsort -command ::r$n {2 1}
		catch ::co$n; ::truth::callobj {catch ::co$n}
		catch ::co$n; catch {rename ::co$n {}}"
}
proc kind_generator {stacks depth yields n} {
	proc ::n$n {} "while 1 {yield; [body [legal $stacks "coroutine co$n" n$n] $depth $stacks]}"
	coroutine ::co$n apply "{} {yield; tailcall ::n$n}"
	# The first time only: what it calls is not there yet.
	return "::co$n; ::co$n; ::co$n"
}
proc kind_hands {stacks depth yields n} {
	if {![llength $yields]} {
		return [kind_coroutine $stacks $depth $yields $n]
	}
	defined ::n$n n$n $yields $depth {}
	return "yieldto ::n$n"
}

set kinds {}
foreach kind [info procs kind_*] {
	lappend kinds [string range $kind 5 end]
}
# Switches are what is hard.
lappend kinds coroutine coroutine generator hands
set kinds [lsort $kinds]
set tops {}
while {$nodes < $most} {
	lappend tops [node {main0} 7 {}]
}
lappend rows {- main0}

set out [open $file.part w]
foreach row $rows {
	puts $out "[lindex $row 0]\t[join [lindex $row 1] {;}]"
}
close $out
proc main0 {seconds tops} {
	set end [expr {[clock milliseconds] + int(1000 * $seconds)}]
	while {[clock milliseconds] < $end} {
		foreach top $tops {
			eval $top
		}
	}
}
file rename -force $file.part $file
main0 $seconds $tops
