# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Scripts that are evaluated in a frame that exists; lambdas; errors.

proc evals n {eval [list work $n]}
path "eval of a list" {evals %n} {evals +eval work}
proc evals_text n {eval "set a 1; work $n; set b 2"}
path "eval of a string" {evals_text %n} {evals_text +eval work}
proc ups n {uplevel 1 [list ::truth::burn $n $::ms]}
proc upped n {ups $n; return}
path "uplevel of a list" {upped %n} {upped ups +uplevel}
proc ups_text n {uplevel 1 "set a 1; work $n; set b 2"}
proc upped_text n {ups_text $n; return}
path "uplevel of a string" {upped_text %n} {upped_text ups_text +uplevel work}
proc ups_zero n {uplevel #0 [list work $n]}
path "uplevel #0" {upped_zero %n} {upped_zero ups_zero +uplevel work}
proc upped_zero n {ups_zero $n; return}

if {[has try]} {
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
}

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
path "bodies not compiled in place" {late_bodies %n} \
	{late_bodies +foreach +for +while +catch +if}
if {[has lmap]} {
	proc dicts n {
		set d {a 1}
		set dict dict
		$dict for {k v} $d {$dict with d {$dict map {x y} $d {work $n}}}
	}
	path "dict for, with, map" {dicts %n} {dicts work}
	proc maps n {set lmap lmap; $lmap a 1 {work $n}}
	path "lmap" {maps %n} {maps work}
}
proc substs n {subst {a[work $n]b}}
path "subst" {substs %n} {substs +subst work}
proc tcl::mathfunc::hot n {::truth::burn $n $::ms; return 1}
proc computes n {expr {1 + hot($n)}}
path "function in expr" {computes %n} {computes ::tcl::mathfunc::hot}
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


# -------------------------------------------------------------- more uplevel

proc up_two n {uplevel 2 [list work $n]; return}
proc up_middle n {up_two $n; return}
proc upped_two n {up_middle $n; return}
path "uplevel 2" {upped_two %n} {upped_two up_middle up_two +uplevel work}
proc up_abs n {uplevel #1 "set a 1; work $n; set b 2"}
proc up_abs_caller n {apply {n {up_abs $n; return}} $n; return}
path "uplevel #1" {up_abs_caller %n} \
	{up_abs_caller {apply {n}} up_abs +uplevel work}
proc up_up n {uplevel 1 [list uplevel 1 [list work $n]]; return}
proc up_up_1 n {up_up $n; return}
proc up_up_2 n {up_up_1 $n; return}
path "uplevel in uplevel" {up_up_2 %n} {up_up_2 up_up_1 up_up +uplevel +uplevel work}
proc up_calls n {uplevel 1 {up_inner $n}; return}
proc up_inner n {uplevel 1 [list ::truth::burn $n $::ms]; return}
proc up_calls_caller n {up_calls $n; return}
path "uplevel in what uplevel called" {up_calls_caller %n} \
	{up_calls_caller up_calls +uplevel up_inner +uplevel}
proc up_ns n {uplevel 1 [list namespace eval ::app [list inner $n]]; return}
proc up_ns_caller n {up_ns $n; return}
path "namespace eval by uplevel" {up_ns_caller %n} \
	{up_ns_caller up_ns +uplevel {namespace eval ::app} ::app::inner}
proc evals_deep {depth n} {
	if {$depth} {
		eval [list eval "evals_deep [incr depth -1] $n"]
	} else {
		::truth::burn $n $::ms
	}
}
path "eval in eval, 40 times" {evals_deep 40 %n} \
	[concat [concat {*}[lrepeat 40 {evals_deep +eval +eval}]] evals_deep]

# --------------------------------------------------- where commands can stand

proc yes n {::truth::burn $n $::ms; return 1}
proc if_condition n {if {[yes $n]} {}; return}
path "condition of if" {if_condition %n} {if_condition yes}
proc while_condition n {while {[yes $n] && 0} {}; return}
path "condition of while" {while_condition %n} {while_condition yes}
proc for_next n {for {set i 0} {$i < 1} {yes $n; incr i} {}; return}
path "for's next" {for_next %n} {for_next yes}
proc ternary n {set a [expr {$n ? [yes $n] : 0}]; return}
path "ternary in expr" {ternary %n} {ternary yes}
proc foreach_list n {foreach a [yes $n] {}; return}
path "list of foreach" {foreach_list %n} {foreach_list yes}
proc switch_body n {switch -regexp -- x$n {^x {yes $n} default {}}; return}
path "switch -regexp" {switch_body %n} {switch_body yes}
proc quoted n {set a "x[string length [yes $n]]y"; return}
path "command in a string" {quoted %n} {quoted yes}
proc late_expr n {set e "\[yes $n\] + 1"; expr $e; return}
path "expr of a variable" {late_expr %n} {late_expr yes}
namespace eval app {
	namespace eval tcl::mathfunc {
		proc cool n {::truth::burn $n $::ms; return 1}
	}
	proc computes n {expr {max(cool($n), 2)}}
}
path "function of a namespace in expr" {::app::computes %n} \
	{::app::computes ::app::tcl::mathfunc::cool}
if {[has lmap]} {
	proc compiled_dicts n {
		set d {a 1}
		dict for {k v} $d {
			dict map {x y} $d {
				dict update d a b {
					dict with d {yes $n}
				}
			}
		}
		return
	}
	path "dict for, map, update, with" {compiled_dicts %n} {compiled_dicts yes}
}
proc filters n {dict filter {a 1} script {x y} {yes $n}; return}
path "dict filter" {filters %n} {filters {~(::tcl::dict::|dict )filter} yes}
if {[has lmap]} {
	proc compiled_lmap n {lmap a {1} b {2} {lmap c {3} {yes $n}}; return}
	path "lmap, compiled" {compiled_lmap %n} {compiled_lmap yes}
}
proc substs_all n {subst -nobackslashes {[yes $n][subst {[yes $n]}]}; return}
path "subst in subst" {substs_all %n} {substs_all +subst +?subst yes}

# ------------------------------------------------------ namespaces and lambdas

path "namespace eval in namespace eval" {
	namespace eval ::app {namespace eval deep {::truth::burn %n $::ms}}
} {{namespace eval ::app} {namespace eval ::app::deep}}
namespace eval app {
	proc code n {{*}[namespace code [list inner $n]]; return}
}
path "namespace code" {::app::code %n} \
	{::app::code {namespace eval ::app} ::app::inner}
path "lambda without arguments" "apply {{} {work %n}}" {{apply {}} work}
set lambda {{depth n} {
	if {$depth} {
		apply $::lambda [incr depth -1] $n
	} else {
		::truth::burn $n $::ms
	}
}}
path "lambda calls itself" {apply $lambda 50 %n} [lrepeat 51 {apply {depth n}}]
path "lambda in a namespace that it makes" {
	apply {n {outer $n; return} ::app} %n
} {{apply {n}} ::app::outer ::app::inner}

# ------------------------------------------------------------------- errors

if {[has try]} {
	proc in_finally n {try {fails 30} finally {::truth::burn $n $::ms}; return}
	path "finally, while an error unwinds" {catch {in_finally %n}} in_finally
	proc in_handler n {try {fails 30} on error {} {::truth::burn $n $::ms}; return}
	path "handler of an error" {in_handler %n} in_handler
	proc in_trap n {
		try {throw {MY OWN} x} trap MY {} {work $n} finally {set a 1}
		return
	}
	path "trap" {in_trap %n} {in_trap work}
}
proc after_error n {catch {fails 300}; work $n; return}
path "after an error 300 levels deep" {after_error %n} {after_error work}
proc endless {} {endless}
proc after_limit n {catch {endless}; work $n; return}
path "after too many levels" {after_limit %n} {after_limit work}
proc sort_fails {a b} {fails 5}
proc after_sort n {catch {lsort -command sort_fails {2 1}}; work $n; return}
path "after an error through lsort" {after_sort %n} {after_sort work}
proc after_c n {catch {truth::call {fails 5}}; work $n; return}
path "after an error through C" {after_c %n} {after_c work}
proc fails_burning n {::truth::fail $n $::ms}
path "command that fails" {catch {fails_burning %n}} {+catch fails_burning} \
	::truth::fail
if {[has try]} {
	proc errors_deep {depth n} {
		try {
			if {$depth} {
				errors_deep [incr depth -1] $n
			} else {
				error bottom
			}
		} on error {} {
			if {$depth == 5} {
				::truth::burn $n $::ms
			}
			error again
		}
	}
	path "error rethrown on its way" {catch {errors_deep 10 %n}} \
		[lrepeat 5 errors_deep]
}
proc code_from n {return -code [work $n]error x}
path "in return -code" {catch {code_from %n}} {+catch code_from work}
proc leaves_two {} {return -level 2 -code ok}
proc never_ends {} {leaves_two; error "not reached"}
proc after_levels n {never_ends; work $n; return}
path "after return -level 2" {after_levels %n} {after_levels work}
proc breaks {} {return -code break}
proc after_break n {while 1 {breaks}; work $n; return}
path "after return -code break" {after_break %n} {after_break work}
