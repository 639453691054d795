# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Raises errors in every way that Tcl has, and says how many.
#
#   tclsh errors.tcl TABLE
#
# TABLE: lines `count TAB message`, numbers in messages as N.  The errors come when there
# is a file TABLE.go; then TABLE.done is made, and the program waits.

lassign $argv table
set times 100
# What a construct raises, how often each time, and the script.
set constructs {
	{{from error N} 1 {catch {error "from error 1"}}}
	{{deep N} 1 {catch {one 3}}}
	{{thrown} 1 {try {throw {A B} thrown} trap A {} {}}}
	{{by return} 1 {catch {returns}}}
	{{first} 1 {catch {again}}}
	{{again with information} 0 {
		catch {error "again with information" "the information" {A B}}
	}}
	{{inner} 1 {catch {error inner} - o}}
	{{in a method} 1 {catch {thing fails}}}
	{{in a coroutine} 1 {catch {coroutine c error "in a coroutine"}}}
	{{in lsort} 1 {catch {lsort -command fails {a b c}}}}
	{{in eval} 1 {catch {eval {error "in eval"}}}}
	{{in uplevel} 1 {catch {uplevel 0 {error "in uplevel"}}}}
	{{in subst} 1 {catch {subst {[error "in subst"]}}}}
	{{in another} 1 {catch {interp eval other {error "in another"}}}}
	{{can't read "nothing": no such variable} 1 {catch {set nothing}}}
	{{wrong # args: should be "one n"} 1 {catch {one}}}
	{{expected integer but got "x"} 1 {catch {incr text}}}
	{{from C} 1 {catch {string map {a} x}}}
	{{no error} 0 {
		foreach i {1 2} {continue}
		while 1 {break}
		catch {return 1}
		catch {return -code 5 x}
	}}
}
proc one n {
	if {$n} {
		one [expr {$n - 1}]
	} else {
		error "deep 7"
	}
}
proc returns {} {
	return -code error "by return"
}
proc again {} {
	catch {error first} m o
	return -options $o $m
}
proc fails args {
	error "in lsort"
}
oo::class create Thing {
	method fails {} {
		error "in a method"
	}
}
Thing create thing
interp create other
set text x

# What Tcl itself says.
foreach c $constructs {
	lassign $c message count
	if {$message eq "from C"} {
		catch {string map {a} x} message
	}
	lappend rows [expr {$count * $times}]\t[regsub -all {\d+} $message N]
}
# Everything that `auto_load` and the like would raise at first is over.
foreach c $constructs {
	eval [lindex $c 2]
}
set out [open $table.new w]
puts $out [join $rows \n]
close $out
file rename $table.new $table
while {![file exists $table.go]} {
	after 20
}
for {set turn 0} {$turn < $times} {incr turn} {
	foreach c $constructs {
		eval [lindex $c 2]
	}
}
close [open $table.done w]
after 60000
