# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Child interpreters, safe ones, aliases across them, limits.

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
path "interp eval" {interp eval kid {inside %n}} [list [word interp eval] inside]
path "child command" {kid eval {inside %n}} {kid inside}
path "alias into a child" {down %n} {down inside}
path "alias out of a child" {interp eval kid {calls_up %n}} \
	[list [word interp eval] calls_up up work]
path "alias onto a C command" {interp eval kid "burn_up %n $ms"} \
	[list [word interp eval] burn_up]
path "child and parent, 3 times" {ping 3 %n} \
	[concat [lrepeat 3 ping kid pong pingback] ping]


# ---------------------------------------------------- grandchildren, siblings

interp create {kid grandkid}
interp create sibling
foreach child {{kid grandkid} sibling} {
	load $so Truth $child
	interp eval $child [list set ms $ms]
	if {$verify} {
		interp alias $child ::truth_seen {} ::truth_seen
	}
}
interp eval {kid grandkid} {
	proc bottom n {::truth::burn $n $::ms}
	proc climbs n {climb $n; return}
}
interp eval kid {proc middle n {grandkid eval [list bottom $n]; return}}
proc top n {kid eval [list middle $n]; return}
path "child of a child" {top %n} {top kid middle grandkid bottom}
interp alias {kid grandkid} climb kid climbed
interp alias kid climbed {} work
path "aliases up two levels" {kid eval {grandkid eval {climbs %n}}} \
	{kid grandkid climbs climb climbed work}
interp eval sibling {proc visited n {::truth::burn $n $::ms}}
interp eval kid {proc visits n {visit $n; return}}
interp alias kid visit sibling visited
path "alias into a sibling" {kid eval {visits %n}} {kid visits visit visited}
interp alias {} lambda_alias {} apply {n {work $n; return}}
path "alias to a lambda" {lambda_alias %n} {+lambda_alias {apply {n}} work}
interp alias kid prefixed {} apply {{a n} {work $n; return}} word
path "alias out of a child, to a lambda" {kid eval {prefixed %n}} \
	{kid prefixed {apply {a n}} work}
if {[has oo::class]} {
	oo::class create Served {method serve n {::truth::burn $n $::ms}}
	Served create served
	interp alias kid served {} served serve
	path "alias out of a child, to a method" {kid eval {served %n}} \
		{kid served {Served serve}}
}
interp eval kid {
	proc kid_sorts n {lsort -command [list sorts_up $n] {2 1}; return}
	proc runs_co n {coroutine co kid_waits $n; co; return}
	proc kid_waits n {yield; up $n; return}
}
proc sorts_up {n a b} {::truth::burn $n $::ms; return 0}
interp alias kid sorts_up {} sorts_up
path "lsort -command with an alias" {kid eval {kid_sorts %n}} \
	{kid kid_sorts lsort sorts_up sorts_up}
if {[has coroutine]} {
	path "coroutine in a child, alias out of it" {kid eval {runs_co %n}} \
		{kid runs_co {coroutine co} kid_waits up work}
	proc parent_co n {kid eval [list runs_co $n]; return}
	path "coroutines in child and parent" {coroutine of_parent parent_co %n} \
		{{coroutine of_parent} parent_co kid runs_co {coroutine co} kid_waits up work}
}
proc made_for n {
	interp create brief
	load $::so Truth brief
	brief alias up work
	brief eval {proc briefly n {up $n; return}}
	brief eval [list briefly $n]
	interp delete brief
	return
}
path "child that lives for one call" {made_for %n} \
	{made_for brief briefly up work}
proc dying n {
	interp create brief
	brief alias up work
	brief eval {
		proc p {} {}
		proc on_end args {up $::n}
		trace add command p delete on_end
	}
	brief eval [list set n $n]
	brief eval {rename p {}}
	interp delete brief
	return
}
path "command trace in a child" {dying %n} \
	{dying brief rename on_end up work}

# -------------------------------------------------------------- safe interps

interp create -safe safe
interp alias safe up {} work
interp eval safe {proc safely n {up $n; return}}
path "safe interp" {interp eval safe {safely %n}} \
	[list [word interp eval] safely up work]
interp eval safe {proc hideous n {up $n; return}}
interp hide safe hideous
path "hidden command" {interp invokehidden safe hideous %n} \
	[list +[word interp invokehidden] hideous up work]
proc invokes n {safe invokehidden hideous $n; return}
path "hidden command by the child's command" {invokes %n} \
	{invokes +safe hideous up work}
proc lends n {safe invokehidden source $::lent; return}
set lent [write lent.tcl {safely [set ::n]}]
path "hidden source" {interp eval safe {set n %n}; lends %n} \
	{lends +safe safely up work}
# Up to 9.0 it recurses in C (generic/tclInterp.c, ChildInvokeHidden).
set recursion [list [word interp invokehidden]]
if {[package vsatisfies [info patchlevel] 9.1]} {
	set recursion {}
}
path "hidden command, -global" {
	interp invokehidden safe -global hideous %n
} [concat $recursion hideous up work]

# -------------------------------------------------------------------- limits

interp create limited
limited alias up work
# Raises its own limit once, then the loop ends by itself.
interp eval limited {proc counts {} {for {set i 0} {$i < 100} {incr i} {}}}
proc over_limit n {
	interp limit limited commands -value {}
	work $n
}
proc limits n {
	interp limit limited commands -granularity 1 \
		-command [list over_limit $n] \
		-value [expr {[limited eval {info cmdcount}] + 20}]
	limited eval counts
	return
}
path "handler of a command limit" {limits %n} \
	{limits limited counts over_limit work}
# It is armed from within, else it comes before the first proc.
interp eval limited {proc arms n {arm $n; counts; return}}
limited alias arm arm_time
proc over_time n {
	interp limit limited time -seconds {}
	work $n
}
proc arm_time n {
	interp limit limited time -granularity 1 -command [list over_time $n] \
		-seconds [expr {[clock seconds] - 1}]
}
proc limits_time n {limited eval [list arms $n]; return}
path "handler of a time limit" {limits_time %n} \
	{limits_time limited arms over_time work}
