# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for Tcl: many call paths, each burning in a leaf of its own.
#
#   tclsh truth_tcl.tcl TRUTH_TCL.SO TABLE SECONDS
#   tclsh truth_tcl.tcl TRUTH_TCL.SO --verify ?GROUP...?
#
# Writes TABLE (leaf, expected stack in folded form without the process name,
# name of the construct; separated by tabs), then takes all paths in turn for
# SECONDS.  --verify takes each path once and compares the Tcl part of what is
# expected with what `info frame` says in the leaf.
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
#    of a single object the object stands for the class.
#  * `namespace eval` and `namespace inscope` make a call frame:
#    `namespace eval ::NS`.  uplevel, eval, catch, try, foreach, subst, source ...
#    evaluate in a frame that is there already, and add none.
#  * A command written in C is shown where its C function is on the native stack:
#    when it re-enters Tcl by C (lsort, vwait, update, time, interp eval, an
#    alias into another interpreter, set with a trace when it is not compiled
#    into bytecode, truth::call...).  Commands that the evaluator runs without
#    C recursion (eval, uplevel, catch, apply, next ...) have returned before
#    their body runs, so there is nothing to show.
#  * Functions of libtcl between these are not shown; truth_outer and truth_inner
#    are ordinary C functions and are.
#  * A trace handler stands directly inside the frame that touched the variable.
#
#  * A coroutine stands as the resumer's frames, then `coroutine NAME`, then its
#    own.

if {$argc < 2} {
	puts stderr "usage: truth_tcl.tcl SO TABLE SECONDS"
	exit 2
}
set so [file normalize [lindex $argv 0]]
set verify [expr {[lindex $argv 1] eq "--verify"}]
set ms [expr {$verify ? -1 : 3}]
load $so Truth

set table {}	;# rows: leaf, frames, construct
set scripts {}

# One more path.  %n in the script stands for the number of its leaf.
proc path {construct script frames {end ::truth::burn}} {
	global table scripts
	set n [expr {[llength $table] + 1}]
	set leaf [format truth_leaf_%02d $n]
	lappend table [list $leaf [concat $frames $end $leaf] $construct]
	lappend scripts [string map [list %n $n] $script]
}

# ---------------------------------------------------------------- procs

proc work n {::truth::burn $n $::ms}
path "proc" {work %n} work

namespace eval app {
	proc inner n {::truth::burn $n $::ms}
	proc outer n {inner $n}
	namespace eval deep {
		proc bottom n {::truth::burn $n $::ms}
		proc top n {::app::deep::bottom $n}
	}
}
path "proc in a namespace" {::app::inner %n} ::app::inner
path "namespace procs in a row" {::app::outer %n} {::app::outer ::app::inner}
path "nested namespaces" {app::deep::top %n} {::app::deep::top ::app::deep::bottom}

proc first n {second $n a b c}
proc second {n args} {third $n {*}$args}
proc third {n {a 1} {b 2} {c 3} {d 4}} {::app::outer $n}
path "arguments, defaults, args" {first %n} {first second third ::app::outer ::app::inner}

proc recurse {depth n} {
	if {$depth > 1} {
		recurse [expr {$depth - 1}] $n
	} else {
		::truth::burn $n $::ms
	}
}
foreach depth {5 50 500} {
	path "recursion $depth deep" "recurse $depth %n" [lrepeat $depth recurse]
}

proc even {depth n} {if {$depth} {odd [incr depth -1] $n} else {work $n}}
proc odd {depth n} {if {$depth} {even [incr depth -1] $n} else {work $n}}
path "mutual recursion" {even 5 %n} {even odd even odd even odd work}

proc "two words" n {::truth::burn $n $::ms}
path "space in a name" {{two words} %n} {{two words}}
proc gr\u00f6\u00dfe n {::truth::burn $n $::ms}
path "UTF-8 name" "gr\u00f6\u00dfe %n" [list gr\u00f6\u00dfe]
proc [string repeat long 50] n {::truth::burn $n $::ms}
path "name of 200 bytes" "[string repeat long 50] %n" [string repeat long 50]

proc wasname n {::truth::burn $n $::ms}
rename wasname isname
path "renamed proc" {isname %n} isname
proc stays n {::truth::burn $n $::ms}
rename stays ::app::moved
path "proc renamed into a namespace" {::app::moved %n} ::app::moved

namespace eval lib {
	namespace export imported
	proc imported n {::truth::burn $n $::ms}
}
namespace eval user {
	namespace import ::lib::imported
	proc uses n {imported $n}
}
path "imported proc" {::user::uses %n} {::user::uses ::lib::imported}

interp alias {} shortcut {} ::app::outer
path "alias in one interpreter" {shortcut %n} {::app::outer ::app::inner}

proc handover n {tailcall work $n}
proc before n {handover $n; return}
path "tailcall" {before %n} {before work}

namespace eval guess {
	namespace unknown ::guess::handler
	proc handler {name n} {::truth::burn $n $::ms}
	proc caller n {nosuchcommand $n}
}
path "namespace unknown" {::guess::caller %n} {::guess::caller ::guess::handler}

# Deleting its own command while it runs; made anew before each call.
proc make_vanishing {} {
	proc vanishing n {rename vanishing {}; ::truth::burn $n $::ms}
}
path "proc deleted while running" {make_vanishing; vanishing %n} vanishing
proc make_replaced {} {
	proc replaced n {proc replaced args {}; ::truth::burn $n $::ms}
}
path "proc replaced while running" {make_replaced; replaced %n} replaced

# ------------------------------------------- evaluating in a frame that exists

proc evals n {eval [list work $n]}
path "eval of a list" {evals %n} {evals work}
proc evals_text n {eval "set a 1; work $n; set b 2"}
path "eval of a string" {evals_text %n} {evals_text work}
proc ups n {uplevel 1 [list ::truth::burn $n $::ms]}
proc upped n {ups $n; return}
path "uplevel of a list" {upped %n} {upped ups}
proc ups_text n {uplevel 1 "set a 1; work $n; set b 2"}
proc upped_text n {ups_text $n; return}
path "uplevel of a string" {upped_text %n} {upped_text ups_text work}
proc ups_zero n {uplevel #0 [list work $n]}
path "uplevel #0" {upped_zero %n} {upped_zero ups_zero work}
proc upped_zero n {ups_zero $n; return}

proc bodies n {
	foreach a 1 {
		for {set i 0} {$i < 1} {incr i} {
			dict for {k v} {a 1} {
				catch {
					try {
						switch x {x {::truth::burn $n $::ms}}
					} finally {
						set a 2
					}
				}
			}
		}
	}
}
path "compiled bodies" {bodies %n} bodies

# The same by names that the compiler cannot see through.
proc late_bodies n {
	set foreach foreach
	set for for
	set catch catch
	set if if
	set while while
	$foreach a 1 {
		$for {set i 0} {$i < 1} {incr i} {
			$while {$i < 1} {
				$catch {
					$if 1 {::truth::burn $n $::ms}
				}
				break
			}
		}
	}
}
path "bodies not compiled in place" {late_bodies %n} late_bodies
proc dicts n {
	set d {a 1}
	set dict dict
	$dict for {k v} $d {$dict with d {$dict map {x y} $d {work $n}}}
}
path "dict for, with, map" {dicts %n} {dicts work}
proc maps n {set lmap lmap; $lmap a 1 {work $n}}
path "lmap" {maps %n} {maps work}
proc substs n {subst {a[work $n]b}}
path "subst" {substs %n} {substs work}
proc tcl::mathfunc::hot n {::truth::burn $n $::ms; return 1}
proc computes n {expr {1 + hot($n)}}
path "function in expr" {computes %n} {computes ::tcl::mathfunc::hot}
if {$verify} {
	set part [file tempfile partname]
} else {
	set partname [lindex $argv 1].source
	set part [open $partname w]
}
puts $part {set ignored 1; work $n; set ignored 2}
close $part
proc sources n {source $::partname}
path "source in a proc" {sources %n} {sources work}

path "namespace eval" {namespace eval ::app {inner %n}} \
	{{namespace eval ::app} ::app::inner}
proc spaced n {namespace eval ::app::deep [list ::truth::burn $n $::ms]}
path "namespace eval of a list in a proc" {spaced %n} \
	{spaced {namespace eval ::app::deep}}
proc inscoped n {namespace inscope ::app {outer} $n}
path "namespace inscope" {inscoped %n} \
	{inscoped {namespace eval ::app} ::app::outer ::app::inner}

path "lambda" {apply {x {::truth::burn $x $::ms}} %n} {{apply {x}}}
path "lambda in a namespace" {apply {{x {y 2}} {outer $x} ::app} %n} \
	{{apply {x y}} ::app::outer ::app::inner}
path "lambdas nested" {apply {{n f} {apply $f $n}} %n {{n} {work $n}}} \
	{{apply {n f}} {apply {n}} work}

namespace eval ens {
	namespace export run
	namespace ensemble create -map {run ::ens::start both {::ens::start x}}
	proc start args {::truth::burn [lindex $args end] $::ms}
}
path "ensemble" {ens run %n} ::ens::start
path "ensemble with prefix words" {ens both %n} ::ens::start
namespace ensemble create -command fire -map {on ::truth::burn}
proc fires n {fire on $n $::ms}
path "ensemble onto a C command" {fires %n} fires

# ----------------------------------------------------------------- objects

oo::class create Account {
	constructor {{n 0}} {if {$n} {::truth::burn $n $::ms}}
	destructor {if {[info exists ::dying]} {::truth::burn $::dying $::ms}}
	method withdraw n {::truth::burn $n $::ms}
	method pay n {my withdraw $n}
	method Hidden n {work $n}
	method shown n {my Hidden $n}
	method unknown {name n} {::truth::burn $n $::ms}
	forward forwarded work
}
oo::class create Savings {
	superclass Account
	method withdraw n {next $n}
}
oo::class create Fixed {
	superclass Savings
	method withdraw n {set result [next $n]; return $result}
}
oo::class create Logged {
	method logged args {next {*}$args}
}
oo::class create bank::Vault {
	superclass Account
	method open n {my pay $n}
}
Account create account
Savings create savings
Fixed create fixed
bank::Vault create vault
Account create filtered
oo::objdefine filtered {mixin Logged; filter logged}
Account create single
oo::objdefine single method special n {my withdraw $n}
path "method" {account withdraw %n} {{Account withdraw}}
path "my" {account pay %n} {{Account pay} {Account withdraw}}
path "private method" {account shown %n} {{Account shown} {Account Hidden} work}
path "next" {savings withdraw %n} {{Savings withdraw} {Account withdraw}}
path "next, twice" {fixed withdraw %n} \
	{{Fixed withdraw} {Savings withdraw} {Account withdraw}}
path "class in a namespace" {vault open %n} \
	{{::bank::Vault open} {Account pay} {Account withdraw}}
path "mixin and filter" {filtered withdraw %n} \
	{{Logged logged} {Account withdraw}}
path "method of one object" {single special %n} \
	{{single special} {Account withdraw}}
path "forwarded method" {account forwarded %n} work
path "unknown method" {account nosuchmethod %n} {{Account unknown}}
path "constructor" {[Account new %n] destroy} {{Account constructor}}
path "destructor" {
	set o [Account new]; set dying %n; $o destroy; unset dying
} {{Account destructor}}

# ---------------------------------------------------- C commands that re-enter

proc compare {n a b} {::truth::burn $n $::ms; return 0}
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
path "time" {times %n} {times time work}

proc setter n {set ::written $n}
proc on_write {name key op} {::truth::burn $::written $::ms}
trace add variable written write on_write
path "write trace" {setter %n} {setter on_write}
set readme 0
proc getter n {set ::pending $n; return $::readme}
proc on_read {name key op} {::truth::burn $::pending $::ms}
trace add variable readme read on_read
path "read trace" {getter %n} {getter on_read}
proc traced args {}
proc on_enter {cmd op} {::truth::burn [lindex $cmd 1] $::ms}
trace add execution traced enter on_enter
proc calls_traced n {traced $n; return}
path "execution trace, enter" {calls_traced %n} {calls_traced on_enter}
proc traced_end args {}
proc on_leave {cmd code result op} {::truth::burn [lindex $cmd 1] $::ms}
trace add execution traced_end leave on_leave
proc calls_traced_end n {traced_end $n; return}
path "execution trace, leave" {calls_traced_end %n} {calls_traced_end on_leave}
proc on_delete {n old new op} {::truth::burn $n $::ms}
proc deletes n {
	proc victim {} {}
	trace add command victim delete [list on_delete $n]
	rename victim {}
}
path "command trace" {deletes %n} {deletes rename on_delete}

proc handle n {::truth::burn $n $::ms; set ::done 1}
path "after and vwait" {after 0 {handle %n}; vwait done} {vwait handle}
proc waits n {after 0 [list handle $n]; vwait ::done}
path "vwait in a proc" {waits %n} {waits vwait handle}
proc handle_nested n {waits $n; set ::done_outer 1}
path "vwait in vwait" {after 0 {handle_nested %n}; vwait done_outer} \
	{vwait handle_nested waits vwait handle}
path "after idle and update" {after idle {handle %n}; update} {update handle}
lassign [chan pipe] pipe_out pipe_in
proc on_writable n {
	fileevent $::pipe_in writable {}
	handle $n
}
path "fileevent" {fileevent $pipe_in writable {on_writable %n}; vwait done} \
	{vwait on_writable handle}
proc reflect {op channel args} {
	switch $op {
		initialize {return {initialize finalize watch read}}
		read {::truth::burn $::pending $::ms; return x}
	}
}
set reflected [chan create read reflect]
fconfigure $reflected -buffering none -translation binary
path "channel written in Tcl" {set pending %n; read $reflected 1} {read reflect}

# ------------------------------------------------------ child interpreters

interp create kid
load $so Truth kid
interp eval kid [list set ms $ms]
interp eval kid {
	proc inside n {::truth::burn $n $::ms}
	proc calls_up n {up $n; return}
	proc pong {depth n} {pingback $depth $n; return}
}
interp alias kid up {} work
interp alias kid pingback {} ping
interp alias kid burn_up {} ::truth::burn
interp alias {} down kid inside
if {$verify} {
	interp alias kid ::truth_seen {} ::truth_seen
}
proc ping {depth n} {
	if {$depth} {
		kid eval [list pong [incr depth -1] $n]
	} else {
		::truth::burn $n $::ms
	}
}
path "interp eval" {interp eval kid {inside %n}} {interp inside}
path "child command" {kid eval {inside %n}} {kid inside}
path "alias into a child" {down %n} {down inside}
path "alias out of a child" {interp eval kid {calls_up %n}} \
	{interp calls_up up work}
path "alias onto a C command" {interp eval kid "burn_up %n $ms"} \
	{interp burn_up}
path "child and parent, 3 times" {ping 3 %n} \
	[concat [lrepeat 3 ping kid pong pingback] ping]

# ------------------------------------------------------------ Tcl -> C -> Tcl

set c {truth_outer truth_inner}
path "Tcl_EvalEx" {truth::call {work %n}} [concat ::truth::call $c work]
path "Tcl_EvalObjEx" {truth::callobj {set a 1; work %n}} \
	[concat ::truth::callobj $c work]
path "Tcl_EvalObjEx of a list" {truth::callobj [list work %n]} \
	[concat ::truth::callobj $c work]
proc globally n {truth::callglobal [list work $n]}
path "Tcl_EvalObjEx, global" {globally %n} \
	[concat globally ::truth::callglobal $c work]
path "Tcl_EvalObjv" {truth::callv work %n} [concat ::truth::callv $c work]
path "Tcl_EvalObjv of a C command" {truth::callv ::truth::burn %n $ms} \
	[concat ::truth::callv $c]
path "Tcl_ExprObj" {truth::expr {[work %n] eq ""}} \
	[concat ::truth::expr $c work]
path "Tcl_SubstObj" {truth::subst {a[work %n]b}} \
	[concat ::truth::subst $c work]
path "set by Tcl_EvalObjv, traced" {truth::callv set ::written %n} \
	[concat ::truth::callv $c set on_write]

proc trip {depth n} {
	if {!$depth} {
		return [::truth::burn $n $::ms]
	}
	set next [list trip [incr depth -1] $n]
	switch [expr {$depth % 4}] {
		0 {truth::call $next}
		1 {truth::callobj $next}
		2 {truth::callv {*}$next}
		3 {truth::callglobal "set a 1; $next"}
	}
}
foreach depth {2 4 8} {
	set frames {}
	for {set d [expr {$depth - 1}]} {$d >= 0} {incr d -1} {
		set kind [lindex {call callobj callv callglobal} [expr {$d % 4}]]
		lappend frames trip ::truth::$kind {*}$c
	}
	path "C and Tcl in turn, $depth times" "trip $depth %n" [concat $frames trip]
}
proc mixed n {lsort -command [list mixed_compare $n] {2 1}}
proc mixed_compare {n a b} {
	truth::call [list apply {{n} {recurse 20 $n; return}} $n]
	return 0
}
path "lsort, C, lambda, recursion" {mixed %n} \
	[concat mixed lsort mixed_compare ::truth::call $c {{apply {n}}} \
		[lrepeat 20 recurse]]

# -------------------------------------------------------------- coroutines

proc generate n {while 1 {yield; ::truth::burn $n $::ms}}
proc resume n {
	if {[info commands gen$n] eq {}} {
		coroutine gen$n generate $n
	}
	gen$n
	return
}
proc co_body n {::truth::burn $n $::ms}
proc co_starts n {coroutine starter co_body $n; return}
path "coroutine, first run" {co_starts %n} \
	{co_starts {coroutine starter} co_body}
set n [format %d [expr {[llength $table] + 1}]]
path "coroutine, resumed" {resume %n} \
	[list resume "coroutine gen$n" generate]
proc co_outer n {coroutine inner_co co_body $n; yield}
proc co_nests n {coroutine outer_co co_outer $n; rename outer_co {}}
path "coroutine in a coroutine" {co_nests %n} \
	{co_nests {coroutine outer_co} co_outer {coroutine inner_co} co_body}
proc co_sorts n {lsort -command [list compare $n] {2 1}}
path "lsort in a coroutine" {coroutine sorter co_sorts %n} \
	{{coroutine sorter} co_sorts lsort compare}
proc co_calls n {truth::call [list co_starts $n]; return}
path "coroutine, C, coroutine" {coroutine caller co_calls %n} \
	[concat {{coroutine caller}} co_calls ::truth::call $c co_starts \
		{{coroutine starter}} co_body]

# ------------------------------------------------------------------ odd ones

# The C function is called by a wrapper in libtcl that stands for the command.
path "command that takes strings" {truth::old %n 3} ::truth::old \
	truth_old_proc
# An imported command written in C is shown by the word that called it.
namespace eval truth {namespace export burn}
namespace eval taker {
	namespace import ::truth::burn
	proc takes n {burn $n $::ms}
}
path "imported C command" {::taker::takes %n} ::taker::takes burn
# The variable dies when its proc has already left: its time is its caller's.
proc leaves n {
	set local $n
	trace add variable local unset [list on_unset $n]
}
proc on_unset {n args} {::truth::burn $n $::ms}
path "unset trace of a local variable" {leaves %n} on_unset

# ------------------------------------------------------------------- run

# What the interpreter itself says: procs, lambdas and methods, outermost first.
# It says nothing of C commands, namespaces, coroutines and deleted procs.
proc truth_seen n {
	set ::seen {}
	for {set i 1} {$i < [info frame]} {incr i} {
		set frame [info frame $i]
		if {[dict exists $frame proc]} {
			set name [dict get $frame proc]
		} elseif {[dict exists $frame lambda]} {
			set arguments [lmap a [lindex [dict get $frame lambda] 0] {
				lindex $a 0
			}]
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

# Frames of one name in a row count once on both sides: `info frame` has an
# entry for every script of an activation.
proc squeeze names {
	set out {}
	foreach name $names {
		if {$name ne [lindex $out end]} {
			lappend out $name
		}
	}
	return $out
}

if {$verify} {
	set bad 0
	foreach row $table script $scripts {
		set seen {}
		eval $script
		set want {}
		foreach name [lindex $row 1] {
			if {$name eq "replaced"} {
				continue
			}
			if {[llength [info procs ::$name]]
			    || [regexp {^(?!namespace |coroutine ).* } $name]} {
				lappend want $name
			}
		}
		set want [squeeze [lmap w $want {plain $w}]]
		set got [squeeze [lmap s $seen {plain $s}]]
		if {$want ne $got} {
			incr bad
			puts "differs: [lindex $row 2]\n  want $want\n  seen $got"
		}
	}
	puts "[llength $table] paths, $bad differ"
	exit
}

lassign $argv - file seconds
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
file delete $partname
