# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Everything that can go wrong under a profiler's eyes, at full speed.
#
#   tclsh faults.tcl SECONDS
#
# Procs that are redefined, renamed and deleted while they run; interpreters,
# namespaces, classes, objects and coroutines that are deleted from inside
# themselves; errors that unwind deep stacks; children that live for a moment;
# and names that are hostile to output formats.  No stack is expected: what counts
# is that the profiler neither fails, hangs nor lies, that every line of its
# output has the right form, and that this program ends with status 0 and `done`.

lassign $argv seconds
if {![string is double -strict $seconds]} {
	puts stderr "usage: faults.tcl SECONDS"
	exit 2
}
set end [expr {[clock milliseconds] + int(1000 * $seconds)}]

proc spin {{turns 300}} {
	for {set i 0} {$i < $turns} {incr i} {}
}

# --------------------------------------------------------------- names

set names [list \
	"semi;colon" "new\nline" "carriage\rreturn" "tab\there" "a 12" "12" \
	"" " " "quote\"d" "back\\slash" "<b>&amp;" "frame_\[k\]" "{brace" \
	"\x1b\[31mred\x1b\[0m" "\x1b\]0;title\x07" "bell\x07" "del\x7f" \
	"nul\x00in" "latin\xff\xfe" "\u20ac\u4e2d\u202e" "truth_leaf_01" "%s%n%s" \
	"..." "a::b" ":" [string repeat x 255] [string repeat x 256] \
	[string repeat x 257] [string repeat "\u4e2d" 100] \
	[string repeat "long;" 2000]]

proc call_names {} {
	foreach name $::names {
		catch {proc ::odd::$name {} {spin}}
		catch {::odd::$name}
		catch {rename ::odd::$name {}}
		catch {namespace eval ::odd::in$name {proc inner {} {spin}}}
		catch {::odd::in${name}::inner}
		catch {namespace delete ::odd::in$name}
		catch {apply [list [list $name b] {spin} ::odd] 1 2}
		catch {coroutine ::odd::$name spin}
		catch {
			oo::class create ::odd::$name
			oo::define ::odd::$name method $name {} {spin}
			oo::define ::odd::$name export $name
			[::odd::$name new] $name
			::odd::$name destroy
		}
	}
}
namespace eval odd {}

# ------------------------------------------------- commands that go away

proc redefined {depth} {
	proc redefined {depth} [info body redefined]
	spin
	if {$depth} {
		redefined [incr depth -1]
	}
	spin
}

set serial 0
proc renamed {depth} {
	set name [lindex [info level 0] 0]
	set next ::renamed[incr ::serial]
	rename $name $next
	spin
	if {$depth} {
		$next [incr depth -1]
	} else {
		rename $next ::renamed
	}
	spin
}

proc deleted {} {
	proc dies {} {rename dies {}; spin; proc dies {} {spin}; dies; spin}
	dies
}

proc namespaces {} {
	namespace eval ::gone::deeper {
		proc inside {} {
			namespace delete ::gone
			spin
			namespace eval ::gone::deeper {proc inside {} {spin}}
			catch {::gone::deeper::inside}
			spin
		}
	}
	::gone::deeper::inside
	namespace delete ::gone
}

proc interpreters {} {
	interp create short
	interp alias short bye {} interp delete short
	interp alias short spin {} spin
	catch {
		short eval {
			proc last {} {
				spin
				bye
				for {set i 0} {$i < 300} {incr i} {}
			}
			proc first {} {last}
			first
		}
	}
	catch {interp delete short}
	set safe [interp create -safe]
	catch {$safe eval {proc f n {if {$n} {f [incr n -1]}}; f 20}}
	interp delete $safe
}

proc objects {} {
	oo::class create Short {
		destructor {spin}
		method die {} {my destroy; spin}
		method die_all {} {[info object class [self]] destroy; spin}
	}
	[Short new] die
	catch {[Short new] die_all}
	catch {Short destroy}
}

# -------------------------------------------------------------- jumps

proc coroutines {} {
	proc body n {
		if {$n} {
			coroutine co$n body [expr {$n - 1}]
		}
		while 1 {
			spin 20
			yield
		}
	}
	coroutine top body 10
	for {set i 1} {$i <= 10} {incr i} {
		co$i
	}
	top
	foreach i {5 1 10 3} {
		rename co$i {}
	}
	foreach co [info commands co?] {
		rename $co {}
	}
	rename top {}
	catch {coroutine self apply {{} {rename self {}; spin; yield; spin}}}
}

proc endless n {endless [incr n]}
proc fails n {
	if {$n} {
		lsort -command [list apply {{n a b} {fails [expr {$n - 1}]}} $n] {2 1}
	} else {
		spin
		error out
	}
}
proc jumps {} {
	catch {endless 0}
	catch {fails 30}
	catch {uplevel #0 {return -code break -level 3}}
	foreach a {1 2} {
		catch {apply {{} {tailcall apply {{} {spin; error x}}}}}
	}
}

proc expansion {} {
	proc takes args {spin}
	takes {*}[lrepeat 5000 x]
}

proc traces {} {
	set local 1
	trace add variable local {read write unset} {apply {args {spin}}}
	incr local
	spin $local
}

proc children {} {
	set child {proc brief {} {for {set i 0} {$i < 5000} {incr i} {}}; brief; exit}
	catch {exec [info nameofexecutable] << $child}
	catch {exec true}
}

set rounds 0
while {[clock milliseconds] < $end} {
	redefined 20
	renamed 20
	deleted
	namespaces
	interpreters
	objects
	coroutines
	jumps
	expansion
	traces
	if {[incr rounds] % 20 == 1} {
		call_names
		children
	}
}
puts "done"
