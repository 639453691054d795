# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Paths of truth_lines.tcl through scripts of files, which sources this file.  How a
# thing is written here is what is tested.  $::number is the leaf's.

# script NAME TEXT: a file with this text; its path is in ::s(NAME).
proc script {name text} {
	set ::s($name) [make_file .$name $text]
}
# The frames of a script, where C code is not.
proc sc name {
	return [list +source "-source [file tail $::s($name)]"]
}
# The same where C code evaluates it.
proc by_c name {
	return [concat ::truth::evalfile $::c [list "-source [file tail $::s($name)]"]]
}
# Both ways, at the outermost level and in a proc.
proc everywhere {construct name frames} {
	path $construct "set number %n; source \$s($name)" [concat [sc $name] $frames]
	path "$construct, in a proc" "set number %n; reads $name" \
		[concat reads [sc $name] $frames]
	path "$construct, by C" "set number %n; truth::evalfile \$s($name)" \
		[concat [by_c $name] $frames]
	path "$construct, by C in a proc" "set number %n; reads_by_c $name" \
		[concat reads_by_c [by_c $name] $frames]
}
proc reads name {
	set ignored 1
	source $::s($name)
	set ignored 2
}
proc reads_by_c name {
	set ignored 1
	truth::evalfile $::s($name)
	set ignored 2
}

script plain {
# A comment.
set ignored 1
::truth::burn $::number $::ms

set ignored 2
}
everywhere "script" plain {}
script calls {
set ignored 1; below \
	$::number
}
everywhere "script that calls" calls below
script words {
set ignored 1
set ignored [concat a \
	[string length \
		[below $::number]]]
}
everywhere "command in a command" words below
script loops {
foreach i {1 2} {
	set ignored 1
	for {set j 0} {$j < 1} {incr j} {
		while 1 {
			if {$i == 2} {
				::truth::burn $::number $::ms
			}
			break
		}
	}
}
}
everywhere "loops" loops [here {+foreach}]
script late {
set loop foreach
$loop i {1} {
	set ignored 1
	::truth::burn $::number $::ms
}
}
everywhere "loop not compiled" late {+foreach}
script defines {
proc defined {a b} {

	::truth::burn $::number $::ms
}
proc calls_defined {} {
	set ignored 1
	defined 1 2
}

calls_defined
}
everywhere "procs of the script" defines {calls_defined defined}
script evals {
set ignored 1
eval {
	set ignored 2
	::truth::burn $::number $::ms
}
}
everywhere "eval" evals {+eval}
script evals_first "eval \{\n\t::truth::burn \$::number \$::ms\n\}\n"
everywhere "eval in the first line" evals_first {+eval}
script evals_list {
eval [list ::truth::burn $::number $::ms]
}
everywhere "eval of a list" evals_list {+eval}
script evals_string {
eval "set ignored 1\n::truth::burn $::number $::ms"
}
everywhere "eval of a string" evals_string {+eval}
script ups_first "up_body \{\n\t::truth::burn \$::number \$::ms\n\}\n"
everywhere "uplevel in the first line" ups_first {up_body +uplevel}
script spaces {
namespace eval ::app {
	set ignored 1
	inner $::number
}
}
everywhere "namespace eval in a script" spaces {{namespace eval ::app} ::app::inner}
script spaces_list {
namespace eval ::app [list inner $::number]
}
everywhere "namespace eval of a list in a script" spaces_list \
	{{namespace eval ::app} ::app::inner}
script applies {
apply {x {
	::truth::burn $x $::ms
}} $::number
}
everywhere "lambda in a script" applies {{apply {x}}}
script sorts {
set ignored 1
lsort -command [list compare $::number] {
	2 1
}
}
everywhere "lsort in a script" sorts {lsort compare}
script times {
time {
	set ignored 1
	::truth::burn $::number $::ms
}
}
everywhere "time in a script" times time
script outer {
set ignored 1
source $::s(plain)
}
everywhere "script in a script" outer [sc plain]
script outer_c {
set ignored 1
truth::evalfile $::s(plain)
}
everywhere "script by C in a script" outer_c [by_c plain]
script outer_word {
set ignored 1
set ignored [source $::s(calls)]
}
everywhere "script in a word" outer_word [concat [sc calls] below]
script itself {if {[incr depth] % 3} {source [info script]} else {below $::number}
}
everywhere "script that sources itself" itself \
	[concat [sc itself] [sc itself] below]
script fails {
set ignored 1
below $::number
error "out of it"
}
path "catch" {set number %n; catch {source $s(fails)}} [concat +catch [sc fails] below]
proc catches_script {} {
	set ignored 1
	catch {
		source $::s(fails)
	} message
}
path "catch in a proc" {set number %n; catches_script} \
	[concat catches_script [sc fails] below]
path "catch, by C" {set number %n; catch {truth::evalfile $s(fails)}} \
	[concat +catch [by_c fails] below]
path "after an error" {
	set number 0; catch {source $s(fails)}; set number %n
	source $s(plain)
} [sc plain]
path "source -encoding" {set number %n; source -encoding utf-8 $s(plain)} [sc plain]
path "source in eval" {set number %n
	eval {
		source $s(plain)
	}
} [concat +eval [sc plain]]
proc evals_source {} {

	eval [list source $::s(plain)]
}
path "source in eval of a list" {set number %n; evals_source} \
	[concat evals_source +eval [sc plain]]
proc ups_source {} {
	uplevel 1 {
		source $::s(plain)
	}
}
path "source in uplevel" {set number %n; ups_source} \
	[concat ups_source +uplevel [sc plain]]
path "source in a namespace" {set number %n
	namespace eval ::app {
		source $::s(calls)
	}
} [concat {{namespace eval ::app}} [sc calls] below]
path "list of source in a namespace" {set number %n
	namespace eval ::app [list source $::s(calls)]
} [concat {{namespace eval ::app}} [sc calls] below]
path "script by C in a namespace" {set number %n
	namespace eval ::app {
		truth::evalfile $::s(calls)
	}
} [concat {{namespace eval ::app}} [by_c calls] below]
path "source in a lambda" {set number %n
	apply {{} {
		source $::s(calls)
	}}
} [concat {{apply {}}} [sc calls] below]
proc c_evals_source {} {
	truth::callobj {
		source $::s(plain)
	}
}
path "source in the script of C code" {set number %n; c_evals_source} \
	[concat c_evals_source ::truth::callobj $c [sc plain]]
proc c_calls_source {} {

	truth::callv source $::s(plain)
}
path "source called by C code" {set number %n; c_calls_source} \
	[concat c_calls_source ::truth::callv $c [sc plain]]
path "source in an event" {set number %n
	after 0 {source $s(calls); set done 1}
	vwait done
} [concat vwait [sc calls] below]
script waits {
after 0 {below $::number; set done 1}
vwait done
}
everywhere "event in a script" waits {vwait below}
script packaged {
package provide scripted 1
below $::number
}
path "package require" {set number %n
	package forget scripted
	package ifneeded scripted 1 [list source $s(packaged)]
	package require scripted
} [concat [list "+package require"] [sc packaged] below]
if {[has oo::class]} {
	oo::class create Reader {
		method read {} {

			source $::s(calls)
		}
	}
	Reader create reader
	path "source in a method" {set number %n; reader read} \
		[concat {{Reader read}} [sc calls] below]
}
if {[has coroutine]} {
	script starts {
set ignored 1
coroutine starter co_body $::number
}
	everywhere "coroutine in a script" starts {{coroutine starter} co_body}
	path "script in a coroutine" {set number %n
		coroutine reader_co reads calls
	} [concat {{coroutine reader_co}} reads [sc calls] below]
	path "script by C in a coroutine" {set number %n
		coroutine reader_co reads_by_c calls
	} [concat {{coroutine reader_co}} reads_by_c [by_c calls] below]
	script yields {
set ignored 1
yield
below $::number
}
	path "script that yields" {set number %n
		coroutine yields_co reads yields
		yields_co
	} [concat {{coroutine yields_co}} reads [sc yields] below]
	proc tails_to_source {} {
		tailcall source $::s(calls)
	}
	path "tailcall of source" {set number %n; tails_to_source} \
		[concat [sc calls] below]
}
