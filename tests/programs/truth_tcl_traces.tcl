# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Traces of variables, commands and executions.

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

# The variable dies when its proc has already left: its time is its caller's.
proc leaves n {
	set local $n
	trace add variable local unset [list on_unset $n]
}
proc on_unset {n args} {::truth::burn $n $::ms}
path "unset trace of a local variable" {leaves %n} on_unset


# ----------------------------------------------------------- every other kind

proc on_any {n args} {::truth::burn $n $::ms}
proc on_array n {
	array set a {x 1}
	trace add variable a array [list on_any $n]
	array size a
	trace remove variable a array [list on_any $n]
	return
}
path "array trace" {on_array %n} {on_array {~(::tcl::array::|array )size} on_any}
proc on_element n {
	trace add variable a(x) write [list on_any $n]
	set a(x) 1
	trace remove variable a(x) write [list on_any $n]
	return
}
path "write trace of an array's element" {on_element %n} {on_element on_any}
proc on_incr n {
	set i 0
	trace add variable i write [list on_any $n]
	incr i
	trace remove variable i write [list on_any $n]
	return
}
path "write trace by incr" {on_incr %n} {on_incr on_any}
proc on_foreach n {
	trace add variable i write [list on_any $n]
	foreach i 1 {}
	trace remove variable i write [list on_any $n]
	return
}
path "write trace by foreach" {on_foreach %n} {on_foreach on_any}
proc on_scan n {
	trace add variable i write [list on_any $n]
	scan 1 %d i
	trace remove variable i write [list on_any $n]
	return
}
path "write trace by a C command" {on_scan %n} {on_scan scan on_any}
proc links name {upvar 1 $name linked; set linked 1; return}
proc on_upvar n {
	trace add variable i write [list on_any $n]
	links i
	trace remove variable i write [list on_any $n]
	return
}
path "write trace through upvar" {on_upvar %n} {on_upvar links on_any}
proc on_unset_command n {
	set i 1
	trace add variable i unset [list on_any $n]
	unset i
	return
}
path "unset trace by unset" {on_unset_command %n} {on_unset_command +unset on_any}
proc on_lambda n {
	trace add variable i write [list apply {{n args} {work $n; return}} $n]
	set i 1
	return
}
path "trace handler that is a lambda" {on_lambda %n} \
	{on_lambda {apply {n args}} work}
proc chain_write {n args} {set ::written $n; return}
proc on_chain n {
	trace add variable i write [list chain_write $n]
	set i 1
	return
}
path "trace in a trace" {on_chain %n} {on_chain chain_write on_write}
proc unwinds n {
	set i 1
	trace add variable i unset [list on_any $n]
	fails 3
}
proc catches_unwinds n {catch {unwinds $n}; return}
path "unset trace while an error unwinds" {catches_unwinds %n} \
	{catches_unwinds on_any}

proc on_rename n {
	proc named {} {}
	trace add command named rename [list on_any $n]
	rename named renamed_now
	rename renamed_now {}
	return
}
path "command trace, rename" {on_rename %n} {on_rename rename on_any}
proc on_ns_delete n {
	namespace eval ::passing {proc p {} {}}
	trace add command ::passing::p delete [list on_any $n]
	namespace delete ::passing
	return
}
path "command trace, namespace deleted" {on_ns_delete %n} \
	{on_ns_delete {~(::tcl::namespace::|namespace )delete} on_any}
proc on_redefine n {
	proc twice {} {}
	trace add command twice delete [list on_any $n]
	proc twice {} {}
	rename twice {}
	return
}
path "command trace, proc redefined" {on_redefine %n} \
	{on_redefine proc on_any}

proc stepped n {set a $n; set b 2; return}
proc on_step {n cmd args} {
	if {$cmd eq "set b 2"} {
		::truth::burn $n $::ms
	}
}
proc steps n {
	trace add execution stepped enterstep [list on_step $n]
	stepped $n
	trace remove execution stepped enterstep [list on_step $n]
	return
}
path "execution trace, enterstep" {steps %n} {steps stepped on_step +if}
proc steps_out n {
	trace add execution stepped leavestep [list on_step $n]
	stepped $n
	trace remove execution stepped leavestep [list on_step $n]
	return
}
path "execution trace, leavestep" {steps_out %n} {steps_out stepped on_step +if}
proc traces_builtin n {
	trace add execution ::lrange enter [list on_any $n]
	truth::callv lrange {a b} 0 0
	trace remove execution ::lrange enter [list on_any $n]
	return
}
path "execution trace of a C command" {traces_builtin %n} \
	[concat traces_builtin ::truth::callv $c on_any]
