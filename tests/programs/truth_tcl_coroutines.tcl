# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Coroutines.

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


# ------------------------------------------------------- more of coroutines

# One that is there for all rounds: made by the path when it is new.
proc lasting {name args} {
	if {[info commands $name] eq {}} {
		coroutine $name {*}$args
	}
}
proc gives n {while 1 {yield; ::truth::burn $n $::ms}}
proc takes {other} {while 1 {yield; $other; set ignored 1}}
path "coroutine resumed by another" {
	lasting giver_%n gives %n
	lasting taker_%n takes giver_%n
	taker_%n
} [list "~coroutine taker_\[0-9\]+" takes "~coroutine giver_\[0-9\]+" gives]
proc down_calls {depth n} {
	if {$depth} {
		down_calls [incr depth -1] $n
	} else {
		gives $n
	}
	return
}
path "yield from 100 levels down" {
	lasting deep_%n down_calls 99 %n
	deep_%n
} [concat "{~coroutine deep_\[0-9\]+}" [lrepeat 100 down_calls] gives]
proc resumes_deep {depth name} {
	if {$depth} {
		resumes_deep [incr depth -1] $name
	} else {
		$name
	}
	return
}
path "resumed 50 levels down" {
	lasting deeper_%n down_calls 49 %n
	resumes_deep 49 deeper_%n
} [concat [lrepeat 50 resumes_deep] "{~coroutine deeper_\[0-9\]+}" \
	[lrepeat 50 down_calls] gives]
proc co_tower {depth n} {
	if {$depth} {
		coroutine tower$depth co_tower [incr depth -1] $n
	} else {
		::truth::burn $n $::ms
	}
	return
}
set frames co_tower
for {set i 20} {$i} {incr i -1} {
	lappend frames "coroutine tower$i" co_tower
}
path "coroutines nested 20 deep" {co_tower 20 %n} $frames

proc hands_over {to n} {
	yield
	yieldto $to $n
	::truth::burn $n $::ms
	return
}
proc accepts_over n {while 1 {set n [yield]; work $n}}
path "yieldto a coroutine" {
	lasting accepting_%n accepts_over %n
	coroutine handing hands_over accepting_%n %n
	handing
	rename handing {}
} [list "~coroutine accepting_\[0-9\]+" accepts_over work]
proc yields_to n {yieldto work $n; return}
path "yieldto a proc" {
	coroutine yielding yields_to %n
	rename yielding {}
} work
path "resumed after yieldto" {
	coroutine twice_over hands_back %n
	twice_over
} {{coroutine twice_over} hands_back}
proc hands_back n {yieldto list; ::truth::burn $n $::ms}
path "coroutine of a lambda" {
	coroutine lambda_co apply {n {yield; work $n; return}} %n
	lambda_co
} {{coroutine lambda_co} {apply {n}} work}
path "coroutine of a C command" "coroutine burning ::truth::burn %n $ms" \
	{{coroutine burning}}
path "coroutine in a namespace" {coroutine ::app::co ::app::outer %n} \
	{{coroutine ::app::co} ::app::outer ::app::inner}
path "coroutine renamed" {
	coroutine before_co co_waits %n
	rename before_co ::app::after_co
	::app::after_co
} {{coroutine ::app::after_co} co_waits}
proc co_waits n {yield; ::truth::burn $n $::ms}
proc co_tail n {yield; tailcall work $n}
path "tailcall in a coroutine" {coroutine tail_co co_tail %n; tail_co} \
	{{coroutine tail_co} work}
proc co_up n {yield; uplevel #0 [list work $n]; return}
proc runs_up n {coroutine up_co co_up $n; up_co; return}
path "uplevel #0 in a coroutine" {runs_up %n} \
	{runs_up {coroutine up_co} co_up work}
oo::class create Cooperative {
	method run n {coroutine ::of_method [self] body $n; ::of_method; return}
	method body n {coroutine ::within co_waits $n; yield; ::within}
}
Cooperative create cooperative
path "coroutine in a coroutine in a method" {cooperative run %n} \
	{{Cooperative run} {coroutine of_method} {Cooperative body}
		{coroutine within} co_waits}
proc by_event n {
	after 0 [info coroutine]
	yield
	work $n
	set ::co_done 1
}
path "coroutine resumed by an event" {
	coroutine by_event_co by_event %n; vwait co_done
} {vwait {coroutine by_event_co} by_event work}
proc by_sort {name a b} {$name; return 0}
proc sorts_co n {
	coroutine sorted_co co_waits $n
	lsort -command {by_sort sorted_co} {2 1}
	return
}
path "coroutine resumed by lsort" {sorts_co %n} \
	{sorts_co lsort by_sort {coroutine sorted_co} co_waits}
proc co_traced n {yield; set ::co_var $n; return}
proc on_co_var args {work $::co_var}
trace add variable co_var write on_co_var
path "trace in a coroutine" {coroutine traced_co co_traced %n; traced_co} \
	{{coroutine traced_co} co_traced on_co_var work}
proc co_fails n {yield; try {fails 20} finally {work $n}}
path "error in a coroutine" {
	coroutine failing_co co_fails %n; catch failing_co
} {{coroutine failing_co} co_fails work}
proc co_deleted n {yield; rename deleted_co {}; ::truth::burn $n $::ms}
path "coroutine deleted while running" {
	coroutine deleted_co co_deleted %n; deleted_co
} co_deleted
proc co_resumes_c n {
	coroutine in_c co_waits $n
	truth::call {in_c}
	return
}
path "coroutine resumed by C in a coroutine" {coroutine outer_c co_resumes_c %n} \
	[concat {{coroutine outer_c}} co_resumes_c ::truth::call $c \
		{{coroutine in_c}} co_waits]
proc co_ns n {yield; namespace eval ::app [list inner $n]; return}
path "namespace eval of a list in a coroutine" {
	coroutine ns_co co_ns %n; ns_co
} {{coroutine ns_co} co_ns {namespace eval ::app} ::app::inner}
proc co_ns_sorts n {
	yield
	lsort -command [list namespace inscope ::app [list ordered $n]] {2 1}
	return
}
namespace eval app {proc ordered {n a b} {::truth::burn $n $::ms; return 0}}
path "namespace inscope in lsort in a coroutine" {
	coroutine sorts_ns_co co_ns_sorts %n; sorts_ns_co
} {{coroutine sorts_ns_co} co_ns_sorts lsort {namespace eval ::app}
	::app::ordered}
proc resumes_in_ns n {
	coroutine in_ns_co co_waits $n
	namespace eval ::app ::in_ns_co
	return
}
path "coroutine resumed in namespace eval" {resumes_in_ns %n} \
	{resumes_in_ns {namespace eval ::app} {coroutine in_ns_co} co_waits}
proc co_alternates {n other} {
	yield
	coroutine again_co co_waits $n
	apply {{} {again_co; return}}
	return
}
path "coroutine made and resumed in a coroutine" {
	coroutine alternate co_alternates %n x; alternate
} {{coroutine alternate} co_alternates {apply {}} {coroutine again_co} co_waits}
