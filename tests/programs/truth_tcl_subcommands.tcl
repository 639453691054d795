# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Commands written in C that go by two words: ensembles, whose subcommands are
# commands of their own, and commands that branch on their first argument.  The "~"
# keeps --verify from taking them for objects with methods.

proc on_touch {n args} {::truth::burn $n $::ms}

proc deletes_namespace n {
	namespace eval ::doomed {proc p {} {}}
	trace add command ::doomed::p delete [list on_touch $n]
	namespace delete ::doomed
}
path "namespace delete" {deletes_namespace %n} \
	{deletes_namespace {namespace delete} on_touch}
proc deletes_late n {
	set namespace namespace
	set delete delete
	namespace eval ::doomed {proc p {} {}}
	trace add command ::doomed::p delete [list on_touch $n]
	$namespace $delete ::doomed
}
path "namespace delete, not compiled" {deletes_late %n} \
	{deletes_late {namespace delete} on_touch}

proc array_gets n {
	array set ::watched {a 1}
	trace add variable ::watched(a) read [list on_touch $n]
	array get ::watched
	unset ::watched
}
path "array get" {array_gets %n} {array_gets {~array get} on_touch}
proc array_sets n {
	set array array
	trace add variable ::watched write [list on_touch $n]
	$array set ::watched {a 1}
	unset ::watched
}
path "array set" {array_sets %n} {array_sets {~array set} on_touch}

proc dict_lappends n {
	set dict dict
	set ::watched {}
	trace add variable ::watched write [list on_touch $n]
	$dict lappend ::watched k v
	unset ::watched
}
path "dict lappend" {dict_lappends %n} {dict_lappends {~dict lappend} on_touch}

proc decodes {op channel args} {
	switch $op {
		initialize {return {initialize finalize watch read}}
		read {::truth::burn $::pending $::ms; return x}
	}
}
set decoded [chan create read decodes]
chan configure $decoded -buffering none -translation binary
proc chan_reads n {
	set ::pending $n
	chan read $::decoded 1
}
path "chan read" {chan_reads %n} {chan_reads {~chan read} decodes}

proc interp_evals n {
	interp eval {} [list work $n]
	return
}
path "interp eval" {interp_evals %n} {interp_evals {~interp eval} work}
proc updates n {
	after idle [list on_touch $n]
	update idletasks
}
path "update idletasks" {updates %n} {updates {~update idletasks} on_touch}
# Without a first argument, and with one that is no subcommand.
proc updates_all n {
	after idle [list on_touch $n]
	update
}
path "update" {updates_all %n} {updates_all update on_touch}
