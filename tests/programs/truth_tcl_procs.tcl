# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Procs: names, namespaces, arguments, recursion; imports and ensembles.

path "proc" {work %n} work

namespace eval app {
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
path "alias in one interpreter" {shortcut %n} {+shortcut ::app::outer ::app::inner}

if {[has tailcall]} {
	proc handover n {tailcall work $n}
	proc before n {handover $n; return}
	path "tailcall" {before %n} {before work}
}

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


# ------------------------------------------------------------- more of names

namespace eval lib2 {
	namespace import ::lib::imported
	namespace export imported
}
namespace eval user2 {
	namespace import ::lib2::*
	proc uses n {imported $n}
}
path "import of an import" {::user2::uses %n} {::user2::uses ::lib::imported}
namespace eval seeker {
	namespace path {::app ::lib}
	proc uses n {imported $n}
}
path "namespace path" {::seeker::uses %n} {::seeker::uses ::lib::imported}
proc moves n {
	rename moves moves_later
	::truth::burn $n $::ms
	rename moves_later moves
}
path "proc renamed while running" {moves %n} moves_later
# Both keep their place, and take the other's name.
proc swap {} {
	rename swapped_a swapped_c
	rename swapped_b swapped_a
	rename swapped_c swapped_b
}
proc swapped_a n {
	swapped_b $n
	return
}
proc swapped_b n {
	swap
	::truth::burn $n $::ms
	swap
}
path "procs that swap their names while running" {swapped_a %n} \
	{swapped_b swapped_a}
proc make_taken {} {
	proc taken n {
		rename taken taken_before
		proc taken n {::truth::burn $n $::ms}
		taken $n
		rename taken_before {}
		return
	}
}
path "proc renamed while running, and its name given to another" \
	{make_taken; taken %n} {taken_before taken}
proc make_again {} {
	proc again n {
		proc again n {::truth::burn $n $::ms}
		again $n
		return
	}
}
path "proc replaced, and the new one called" {make_again; again %n} \
	{again again}
proc make_renewed n {
	proc renewed n "set ignored [clock clicks]; ::truth::burn \$n \$::ms"
	renewed $n
	return
}
path "proc defined anew each time" {make_renewed %n} {make_renewed renewed}
proc many args {::truth::burn [lindex $args end] $::ms}
path "5,000 arguments" {many {*}[lrepeat 5000 x] %n} many

# As many levels as the interpreter's limit of 1,000 leaves for procs.
proc levels_left depth {
	set ::deepest $depth
	levels_left [incr depth]
}
catch {levels_left 1}
# The script of the path, the leaf's command and what it may call count, too.
incr deepest [expr {$verify ? -6 : -2}]
path "recursion $deepest deep, by the default limit" "recurse $deepest %n" \
	[lrepeat $deepest recurse]

# --------------------------------------------------------------- tailcalls

if {[has tailcall]} {
	proc chain_a n {tailcall chain_b $n}
	proc chain_b n {tailcall ::app::outer $n}
	proc chains n {chain_a $n; return}
	path "tailcalls in a row" {chains %n} {chains ::app::outer ::app::inner}
	proc tail_loop {i n} {
		if {$i} {
			tailcall tail_loop [incr i -1] $n
		}
		::truth::burn $n $::ms
	}
	path "tailcall to itself, 300 times" {tail_loop 300 %n} tail_loop
	proc tail_c n {tailcall ::truth::burn $n $::ms}
	proc before_c n {tail_c $n; return}
	path "tailcall of a C command" {before_c %n} before_c
	path "tailcall in a lambda" {apply {n {tailcall work $n}} %n} work
	proc tail_up n {uplevel 1 [list tailcall work $n]; return}
	proc tail_upped n {tail_up $n; return}
	proc calls_tail_upped n {tail_upped $n; return}
	path "tailcall by uplevel" {calls_tail_upped %n} {calls_tail_upped work}
}

# --------------------------------------------------------------- ensembles

namespace ensemble create -command inner_ens -map {run ::ens::start}
namespace ensemble create -command outer_ens -map {sub inner_ens}
path "ensemble in an ensemble" {outer_ens sub run %n} ::ens::start
proc dispatches n {outer_ens sub run $n; return}
path "ensemble in an ensemble, in a proc" {dispatches %n} \
	{dispatches ::ens::start}
namespace ensemble create -command late_ens -map {on list} \
	-unknown late_unknown
proc late_unknown {ens sub n} {
	::truth::burn $n $::ms
	return [list $ens on]
}
path "ensemble's unknown handler" {
	namespace ensemble configure late_ens -unknown late_unknown
	late_ens nosuch %n
} {-late_ens late_unknown}
proc hot_string {word n} {::truth::burn $n $::ms}
namespace ensemble configure string -map \
	[dict replace [namespace ensemble configure string -map] hot ::hot_string]
proc uses_string n {string hot x $n; return}
path "built-in ensemble extended" {uses_string %n} {uses_string hot_string}
proc greet {who n} {::truth::burn $n $::ms}
if {![catch {
	namespace ensemble create -command who_ens -parameters who \
		-map {greet ::greet}
}]} {
	path "ensemble with parameters" {who_ens you greet %n} greet
}
namespace ensemble create -command lambda_ens \
	-map {go {apply {n {work $n}}}}
path "ensemble onto a lambda" {lambda_ens go %n} {{apply {n}} work}
namespace eval exporter {
	namespace export *
	namespace ensemble create
	proc act n {::app::outer $n}
}
namespace eval importer {
	namespace import ::exporter::act
	namespace ensemble create -map {act act}
}
path "ensemble of an imported proc" {importer act %n} \
	{::exporter::act ::app::outer ::app::inner}
