# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Paths of truth_lines.tcl, which sources this file.  How a thing is written
# here is what is tested: breaks of lines and comments have their places.

# ------------------------------------------------------------------- bodies

proc work n {::truth::burn $n $::ms}
path "one line" {work %n} work

proc below n {
	# A comment before it.

	set ignored 1; set ignored 2

	::truth::burn $n $::ms
	set ignored 3
}
path "body of some lines" {below %n} below

proc broken n {
	set ignored [string length \
		a]; set ignored \
		2
	::truth::burn \
		$n \
		$::ms
	return
}
path "backslash and newline" {broken %n} broken

proc continued {n \
		{also 1} \
		{args {}}} {
	if {$also &&
	    $n} {
		::truth::burn $n \
			[set ::ms]
	}
}
path "command over several lines" {continued %n} continued

proc inner_command n {
	set ignored 1
	set ignored [concat a \
		[concat b \
			[below $n]] \
		c]
}
path "command in a command" {inner_command %n} {inner_command below}

proc quoted n {
	set ignored "a
		b [string length "
		c"] [below $n] d
	"
}
path "command in a string of lines" {quoted %n} {quoted below}

proc bodies n {
	foreach a {
		1
	} {
		for {set i 0} {
			$i < 1
		} {incr i} {
			if {$i > 5} {
				set ignored 1
			} elseif {
				$i == 0
			} {
				while {$i < 1} {
					::truth::burn $n $::ms
					break
				}
			} else {
				set ignored 2
			}
		}
	}
}
path "foreach, for, if, while" {bodies %n} bodies

proc switches n {
	switch -exact -- x {
		a {
			set ignored 1
		}
		b -
		x {
			switch y y {
				set ignored 2
				::truth::burn $n $::ms
			} default {
				set ignored 3
			}
		}
		default {}
	}
}
path "switch" {switches %n} {switches +switch}

proc switches_late n {
	set pattern a*
	switch -glob -- abc \
		b {
			set ignored 1
		} \
		$pattern {
			::truth::burn $n $::ms
		}
}
path "switch, arms as words" {switches_late %n} {switches_late +switch}

if {[has try]} {
	proc catches n {
		catch {
			try {
				error x
			} on error {message} {
				catch {
					try {
						set ignored 1
					} finally {
						set ignored 2
						::truth::burn $n $::ms
					}
				} message
			}
		} message
	}
	path "catch, try, finally" {catches %n} catches
}

if {[has lmap]} {
	proc dicts n {
		set d {a 1}
		dict for {k v} $d {
			dict with d {
				dict update d a b {
					dict map {x y} $d {
						::truth::burn $n $::ms
					}
				}
			}
		}
	}
	path "dict for, with, update, map" {dicts %n} dicts

	proc maps n {
		lmap a {1} \
			b {2} {
			set ignored 1
			::truth::burn $n $::ms
		}
	}
	path "lmap" {maps %n} maps
}

# The same by names that the compiler cannot see through.
proc late n {
	set foreach foreach
	set if if
	set catch catch
	$foreach a {
		1
	} {
		$if 1 {
			set ignored 1
			$catch {
				set ignored 2
				::truth::burn $n $::ms
			}
		}
	}
}
path "bodies not compiled in place" {late %n} {late +@? +foreach +if +catch}

proc recurse {depth n} {
	if {$depth == 3} {
		recurse 2 $n
		return
	}
	if {$depth} {
		set ignored 1
		recurse [expr {
			$depth - 1
		}] $n
	} else {
		::truth::burn $n $::ms
	}
}
path "recursion from two lines" {recurse 5 %n} [lrepeat 6 recurse]

proc twice n {
	::truth::burn 0 0
	::truth::burn $n $::ms; ::truth::burn 0 0
	::truth::burn 0 0
}
path "one of several calls" {twice %n} twice

proc computes n {
	expr {
		1 +
		[below $n]
	}
}
path "expr over several lines" {computes %n} {computes below}

proc tcl::mathfunc::hot n {
	::truth::burn $n $::ms
	return 1
}
proc functions n {
	set ignored 1
	expr {1 + hot($n)}
}
path "function in expr" {functions %n} {functions ::tcl::mathfunc::hot}

proc substs n {
	subst {
		a
		[below $n]
	}
}
path "subst" {substs %n} {substs +subst below}

# ---------------------------------------------------------- namespaces, objects

namespace eval app {
	variable v 1

	proc inner n {
		::truth::burn $n $::ms
	}

	namespace eval deep {
		proc bottom n {

			::truth::burn $n $::ms
		}
	}
}
path "proc in a namespace" {::app::inner %n} ::app::inner
path "nested namespaces" {::app::deep::bottom %n} ::app::deep::bottom

proc spaced n {
	namespace eval ::app {
		set ignored 1
		inner $::number
	}
}
path "namespace eval in a proc" {set number %n; spaced %n} \
	{spaced {namespace eval ::app} ::app::inner}
path "namespace eval of a list" {namespace eval ::app [list inner %n]} \
	{{namespace eval ::app} ::app::inner}
path "namespace eval in a script" {
	namespace eval ::app {

		inner %n
	}
} {{namespace eval ::app} ::app::inner}

namespace eval ens {
	namespace export run
	namespace ensemble create -map {run ::ens::start}
	proc start n {
		set ignored 1
		::truth::burn $n $::ms
	}
}
proc uses_ensemble n {

	ens run $n
}
path "ensemble" {uses_ensemble %n} {uses_ensemble ::ens::start}

if {[has oo::class]} {
	oo::class create Account {
		constructor {{n 0}} {
			if {$n} {
				::truth::burn $n $::ms
			}
		}
		destructor {

			if {[info exists ::dying]} {::truth::burn $::dying $::ms}
		}
		method withdraw n {
			set ignored 1
			::truth::burn $n $::ms
		}
		method pay n {
			my withdraw \
				$n
		}
	}
	oo::class create Savings {
		superclass Account
		method withdraw n {

			next $n
		}
	}
	Account create account
	Savings create savings
	oo::objdefine account {
		method special n {
			my pay $n
		}
	}
	path "method" {account withdraw %n} {{Account withdraw}}
	path "my" {account pay %n} {{Account pay} {Account withdraw}}
	path "next" {savings withdraw %n} {{Savings withdraw} {Account withdraw}}
	path "method of one object" {account special %n} \
		{{account special} {Account pay} {Account withdraw}}
	proc makes n {
		set o [Account new \
			$n]
		$o destroy
	}
	path "constructor" {makes %n} {makes {Account constructor}}
	proc unmakes n {
		set o [Account new]
		set ::dying $n
		$o destroy
		unset ::dying
	}
	path "destructor" {unmakes %n} {unmakes {Account destructor}}
	oo::define Account [list method listed n "\n\t::truth::burn \$n \$::ms\n"]
	path "method with a made body" {account listed %n} {{Account listed}}
}

# --------------------------------------------------------------------- lambdas

proc applies n {
	apply {x {
		set ignored 1
		::truth::burn $x $::ms
	}} $n
}
path "lambda in a file" {applies %n} {applies {apply {x}}}
set lambda [list {x y} [string repeat "set ignored 1\n" 5][string trimleft {
	::truth::burn $x $::ms
}]]
proc applies_made n {
	apply $::lambda \
		$n 2
}
path "lambda that was made" {applies_made %n} {applies_made {apply {x y}}}
path "lambda in a script" {
	apply {x {

		::truth::burn $x $::ms
	}} %n
} {{apply {x}}}
set held {x {
	set ignored 1
	::truth::burn $x $::ms
}}
path "lambda in a variable" {apply $::held %n} {{apply {x}}}

# ------------------------------------------------------- procs that were made

eval {
	proc evaled n {
		set ignored 1
		::truth::burn $n $::ms
	}
}
path "proc in eval" {evaled %n} evaled
proc make {name body} {
	proc $name n $body
}
make made {
	set ignored 1

	::truth::burn $n $::ms
}
path "body passed on" {made %n} made
make joined "[string repeat \n 7]\tset ignored 1\n\t::truth::burn \$n \$::ms"
path "body put together" {joined %n} joined
eval [string map {NAME mapped} {
	proc NAME n {
		set ignored 1
		::truth::burn $n $::ms
	}
}]
path "proc from a template" {mapped %n} mapped
if {1} {
	proc conditional n {
		::truth::burn $n $::ms
	}
} else {
	proc conditional n {}
}
path "proc in if" {conditional %n} conditional
proc was_named n {

	::truth::burn $n $::ms
}
rename was_named renamed
path "renamed" {renamed %n} renamed

# ------------------------------------------- evaluating in a frame that exists

proc evals n {
	set ignored 1
	eval {
		set ignored 2
		::truth::burn $n $::ms
	}
}
path "eval" {evals %n} {evals +eval}
proc evals_made n {
	eval "set ignored 1\nset ignored 2
		::truth::burn $n $::ms\nset ignored 3"
}
path "eval of a string" {evals_made %n} {evals_made +eval}
proc evals_list n {

	eval [list ::truth::burn $n $::ms]
}
path "eval of a list" {evals_list %n} {evals_list +eval}
proc evals_words n {
	eval set ignored 1 ";" ::truth::burn \
		$n $::ms
}
path "eval of words" {evals_words %n} {evals_words +eval}
proc evals_deep n {
	eval {
		eval "\n\neval {\n::truth::burn $n $::ms}"
	}
}
path "eval in eval in eval" {evals_deep %n} {evals_deep +eval +eval +eval}
proc evals_proc n {
	eval {
		set ignored 1
		below $n
	}
}
path "eval of a proc" {evals_proc %n} {evals_proc +eval below}

proc up n {
	uplevel 1 [list ::truth::burn $n $::ms]
}
proc upped n {
	set ignored 1
	up $n
	return
}
path "uplevel of a list" {upped %n} {upped up +uplevel}
proc up_body body {
	set ignored 1
	uplevel 1 $body
}
proc upped_body n {
	up_body {
		set ignored 1
		::truth::burn $n $::ms
	}
	return
}
path "uplevel of a body" {upped_body %n} {upped_body up_body +uplevel}
proc up_made n {
	uplevel 1 "set ignored 1\n\nbelow $n\n"
}
proc upped_made n {
	up_made $n; return
}
path "uplevel of a string" {upped_made %n} {upped_made up_made +uplevel below}
proc up_zero n {

	uplevel #0 [list below $n]
}
path "uplevel #0" {up_zero %n} {up_zero +uplevel below}

if {[has tailcall]} {
	proc tails n {
		set ignored 1
		tailcall below $n
	}
	proc before n {
		tails $n
		return
	}
	path "tailcall" {before %n} {before below}
}
