# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# More paths of truth_lines.tcl, which sources this file: through other files, C and
# coroutines, and in large procs.  How a thing is written here is what is tested.

# ------------------------------------------------------------- other files

set part [make_file .part {# Sourced in a proc.

set ignored 1
below $n
set ignored 2
}]
proc sources n {
	set ignored 1
	source $::part
}
path "source in a proc" {sources %n} \
	[list sources +source "-source [file tail $part]" below]
set nested [make_file .nested {
set ignored 1
source $::part
}]
proc sources_nested n {
	source $::nested
}
path "source in source" {sources_nested %n} \
	[list sources_nested +source "-source [file tail $nested]" \
		+source "-source [file tail $part]" below]
source [make_file .defines "\n# Two procs.\n\nproc far n {\n\n\
	\t::truth::burn \$n \$::ms\n}\nproc farther n {\n\tfar \$n\n}\n"]
path "procs of another file" {farther %n} {farther far}
proc far_away n {

	farther $n
}
path "procs of two files" {far_away %n} {far_away farther far}
source [make_file ".odd; name (2)" "proc odd n {\n\n::truth::burn \$n \$::ms\n}"]
path "odd name of a file" {odd %n} odd

# ------------------------------------------------- C commands that come back

proc compare {n a b} {
	::truth::burn $n $::ms
	return 0
}
proc sorts n {
	set ignored 1
	lsort \
		-command [list compare $n] {
			2
			1
		}
}
path "lsort -command" {sorts %n} {sorts lsort compare}
proc sorts_lambda n {
	lsort -command [list apply {{n a b} {
		set ignored 1
		compare $n $a $b
	}} $n] {2 1}
}
path "lsort with a lambda" {sorts_lambda %n} \
	{sorts_lambda lsort {apply {n a b}} compare}
proc times n {
	set ignored 1
	time {
		set ignored 2
		below $n
	} 1
}
path "time" {times %n} {times time below}
proc times_here n {
	time {
		set ignored 2
		::truth::burn $n $::ms
	}
}
path "burning in the script of time" {times_here %n} {times_here time}

proc calls n {
	set ignored 1
	truth::call "set ignored 1\n\nbelow $n"
}
path "Tcl_EvalEx" {calls %n} [concat calls ::truth::call $c below]
proc calls_obj n {
	truth::callobj {
		set ignored 1
		below $n
	}
}
path "Tcl_EvalObjEx" {calls_obj %n} [concat calls_obj ::truth::callobj $c below]
proc calls_v n {

	truth::callv below $n
}
path "Tcl_EvalObjv" {calls_v %n} [concat calls_v ::truth::callv $c below]
proc calls_here n {
	set ignored 1
	truth::callobj {
		set ignored 1
		::truth::burn $n $::ms
	}
}
path "burning in the script of C code" {calls_here %n} \
	[concat calls_here ::truth::callobj $c]
proc trip {depth n} {
	if {!$depth} {
		return [::truth::burn $n $::ms]
	}
	if {$depth % 2} {
		truth::callobj [list trip [incr depth -1] $n]
	} else {
		truth::call \
			"trip [incr depth -1] $n"
	}
}
path "C and Tcl in turn" {trip 2 %n} \
	[concat trip ::truth::call $c trip ::truth::callobj $c trip]

proc on_write {name key op} {

	::truth::burn $::written $::ms
}
set written 0
trace add variable written write on_write
set line [dict get [info frame 0] line]
proc writes n {
	set ignored 1
	set ::written $n
}
path "write trace" {writes %n} \
	[list writes @[file normalize [info script]]:[incr line 3] on_write]
proc on_enter {command op} {
	::truth::burn [lindex $command 1] $::ms
}
proc traced args {}
trace add execution traced enter on_enter
proc calls_traced n {

	traced $n
	return
}
path "execution trace" {calls_traced %n} {calls_traced | on_enter}

proc handle n {
	set ignored 1
	::truth::burn $n $::ms
	set ::done 1
}
path "after and vwait" {after 0 {handle %n}; vwait done} {vwait handle}
proc waits n {
	after 0 [list handle $n]

	vwait ::done
}
path "vwait in a proc" {waits %n} {waits vwait handle}

# -------------------------------------------------------------- coroutines

if {[has coroutine]} {
	proc co_body n {

		::truth::burn $n $::ms
	}
	proc co_starts n {
		set ignored 1
		coroutine starter co_body $n
		return
	}
	path "coroutine" {co_starts %n} {co_starts {coroutine starter} co_body}
	proc generate n {
		while 1 {
			yield
			::truth::burn $n $::ms
		}
	}
	proc resume n {
		if {[info commands gen$n] eq {}} {
			coroutine gen$n generate $n
		}
		gen$n
		return
	}
	path "coroutine, resumed" {resume %n} \
		[list resume "coroutine gen[expr {[llength $paths] + 1}]" generate]
	proc co_calls n {

		truth::call [list co_starts $n]
		return
	}
	path "coroutine, C, coroutine" {
		coroutine caller co_calls %n
	} [concat {{coroutine caller}} co_calls ::truth::call $c co_starts \
		{{coroutine starter} co_body}]
}

# -------------------------------------------------------- large procs

# Each command's place is kept as steps of one byte, with a longer form for steps
# above 254: in code (many words), in text (a long comment), and backward.
set many [string repeat {$n } 300]
set text "\tset ignored 1\n\tlist $many\n\t::truth::burn \$n \$::ms\n"
source [make_file .wide "proc wide n {\n$text}\n"]
path "command of 300 words before it" {wide %n} wide
set text "\tset ignored 1\n\t# [string repeat {comment } 100]\n"
append text "\t::truth::burn \$n \$::ms\n\tset ignored 2\n"
source [make_file .comment "proc comment n {\n$text}\n"]
path "long comment before it" {comment %n} comment
set text "\tset ignored {[string repeat {literal } 9000]}\n"
append text "\t::truth::burn \$n \$::ms\n"
source [make_file .literal "proc literal n {\n$text}\n"]
path "command of 72 kB before it" {literal %n} literal
set text {}
for {set i 0} {$i < 300} {incr i} {
	append text "\tset a$i \[expr {\$n + $i}\]\n"
}
append text "\t::truth::burn \$n \$::ms\n"
source [make_file .commands "proc commands n {\n$text}\n"]
path "300 commands before it" {commands %n} commands
make commands_made $text
path "300 commands before it, made" {commands_made %n} commands_made

set text {}
for {set i 2} {$i < 3000} {incr i} {
	append text "\tif {\$at == $i} {::truth::burn \$n \$::ms}\n"
}
source [make_file .large "proc large {n at} {\n$text}\n"]
foreach at {2 40 129 1500 2999} {
	path "proc of 3,000 lines, line $at" "large %n $at" large
}
set text "\tset ignored 1\n"
for {set i 0} {$i < 40} {incr i} {
	append text [string repeat \t $i] "if \$n \{\n"
}
append text "::truth::burn \$n \$::ms\n" [string repeat \}\n 40]
source [make_file .nesting "proc nesting n {\n$text}\n"]
path "40 bodies, one in the other" {nesting %n} \
	[concat nesting [lrepeat 40 +if]]
