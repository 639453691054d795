# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Tcl, C, Tcl: the ways in from an extension; C functions called back.

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
proc on_noted {name args} {::truth::burn $::noted $::ms}
trace add variable noted write on_noted
path "set by Tcl_EvalObjv, traced" {truth::callv set ::noted %n} \
	[concat ::truth::callv $c set on_noted]

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

# The C function is called by a wrapper in libtcl that stands for the command.
path "command that takes strings" {truth::old %n 3} ::truth::old \
	truth_old_proc
# An imported command written in C is shown by the word that called it; in 8.5
# as the command that runs.
namespace eval truth {namespace export burn}
namespace eval taker {
	namespace import ::truth::burn
	proc takes n {burn $n $::ms}
}
path "imported C command" {::taker::takes %n} ::taker::takes \
	[expr {$recurses ? "::truth::burn" : "burn"}]

# --------------------------------------------------------- more ways into Tcl

path "Tcl_Eval" {truth::eval {set a 1; work %n}} \
	[concat ::truth::eval $c work]
proc from_proc {way n} {truth::$way [list work $n]; return}
foreach {name way} {
	Tcl_Eval eval Tcl_GlobalEval globaleval Tcl_VarEval vareval
	Tcl_RecordAndEvalObj record "Tcl_EvalObjEx, direct" direct
} {
	path "$name in a proc" "from_proc $way %n" \
		[concat from_proc ::truth::$way $c work]
}
set evaluated [write evaluated.tcl {set ignored 1; work $n; set ignored 2}]
proc eval_file n {truth::evalfile $::evaluated; return}
path "Tcl_EvalFile" {eval_file %n} [concat eval_file ::truth::evalfile $c work]
proc nested_words n {truth::call "set a x\[work $n\]y"; return}
path "command in a word, Tcl_EvalEx" {nested_words %n} \
	[concat nested_words ::truth::call $c work]
proc ups_through n {truth::callobj {uplevel 1 {work $n}}; return}
proc upped_through n {ups_through $n; return}
path "uplevel in C in a proc" {upped_through %n} \
	[concat upped_through ups_through ::truth::callobj $c +uplevel work]
proc evals_ns n {truth::call "namespace eval ::app {inner $n}"; return}
path "namespace eval in Tcl_EvalEx" {evals_ns %n} \
	[concat evals_ns ::truth::call $c {{namespace eval ::app}} ::app::inner]
proc ns_calls n {
	namespace eval ::app [list truth::callv ::truth::burn $n $::ms]
	return
}
path "C command in namespace eval" {ns_calls %n} \
	[concat ns_calls {{namespace eval ::app}} ::truth::callv $c]
proc calls_ns n {
	truth::callv namespace eval ::app [list ::truth::burn $n $::ms]
	return
}
path "namespace eval in a C command" {calls_ns %n} \
	[concat calls_ns ::truth::callv $c {{namespace eval ::app}}]
if {[has truth::nr tailcall]} {
	proc nr n {truth::nr [list work $n]; return}
	path "Tcl_NREvalObj" {nr %n} {nr work}
	path "Tcl_NREvalObj past the evaluator" {truth::callv truth::nr {work %n}} \
		[concat ::truth::callv $c work]
	proc nr_in_c n {truth::call [list truth::nr [list nr $n]]; return}
	path "Tcl_EvalEx and Tcl_NREvalObj" {nr_in_c %n} \
		[concat nr_in_c ::truth::call $c nr work]
	proc tail_to_c n {tailcall truth::call [list work $n]}
	proc before_tail_to_c n {tail_to_c $n; return}
	path "tailcall of a command that re-enters" {before_tail_to_c %n} \
		[concat before_tail_to_c ::truth::call $c work]
}

set frames {}
for {set d 39} {$d >= 0} {incr d -1} {
	set kind [lindex {call callobj callv callglobal} [expr {$d % 4}]]
	lappend frames trip ::truth::$kind {*}$c
}
path "C and Tcl in turn, 40 times" "trip 40 %n" [concat $frames trip]
proc trips_more {depth n} {
	if {!$depth} {
		return [::truth::burn $n $::ms]
	}
	lsort -command [list trips_sort [incr depth -1] $n] {2 1}
}
proc trips_sort {depth n a b} {
	truth::call [list apply {{depth n} {
		catch {
			trips_more $depth $n
		}
	}} $depth $n]
	return 0
}
path "lsort, C, lambda, 15 times" {trips_more 15 %n} \
	[concat {*}[lrepeat 15 [concat trips_more lsort trips_sort \
		::truth::call $c {{apply {depth n}}}]] trips_more]

# -------------------------------------------------------- C that is called back

if {[has truth::nrburn]} {
	proc nrburns n {truth::nrburn $n $::ms; return}
	path "callback on the chain" {nrburns %n} nrburns truth_after_proc
	proc nrburns_in_c n {truth::call [list truth::nrburn $n $::ms]; return}
	path "callback on the chain, in C" {nrburns_in_c %n} \
		[concat nrburns_in_c ::truth::call $c] truth_after_proc
}
proc watches n {
	truth::watch ::noticed $n $::ms
	set ::noticed 1
	return
}
path "variable trace in C" {watches %n} watches truth_trace_proc
proc watches_scan n {
	truth::watch ::noticed $n $::ms
	scan 1 %d ::noticed
	return
}
path "variable trace in C, by a C command" {watches_scan %n} \
	{watches_scan scan} truth_trace_proc
proc mark {} {}
proc observes n {truth::observe $n $::ms {marks; set a 1}; return}
proc marks {} {set a 1; mark; set b 2}
path "execution trace in C" {observes %n} {observes ::truth::observe marks} \
	truth_observe_proc
proc asyncs n {truth::async $n $::ms; return}
path "asynchronous handler" {asyncs %n} asyncs truth_async_proc
proc laters n {truth::later [list later_done $n]; vwait ::later_over; return}
proc later_done n {work $n; set ::later_over 1}
path "timer handler in C" {laters %n} \
	{laters vwait truth_timer_proc later_done work}
proc dooms n {truth::doomed doom $n $::ms; rename doom {}; return}
path "deletion callback of a command" {dooms %n} {dooms rename} \
	truth_delete_proc
