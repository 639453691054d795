# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Background errors carry the stacks of all threads of their process.
#
#   source error_dump.tcl
#   error_dump::install ?COMMAND?
#
# COMMAND gets the message and the return options, as one of `interp bgerror` does; the
# options then have a key -threads: the JSON that `jpbpf dump --json` writes.  Without
# COMMAND the handler that was there before gets them.  When the handler runs, Tcl has left
# the procedures that raised the error (they are in -errorinfo); the stacks show what the
# other threads do, and from where in C the event loop was called.

namespace eval error_dump {
	variable handler {}
}

# The stacks of this process as JSON, or why there are none.
proc error_dump::now {} {
	set command jpbpf
	if {[info exists ::env(JPBPF)]} {
		set command $::env(JPBPF)
	}
	if {[catch {exec {*}$command dump -q -p [pid] --json} json]} {
		return "no stacks: $json"
	}
	return $json
}

proc error_dump::handle {message options} {
	variable handler
	dict set options -threads [now]
	{*}$handler $message $options
}

proc error_dump::install {{command {}}} {
	variable handler
	set handler [expr {[llength $command] ? $command : [interp bgerror {}]}]
	interp bgerror {} error_dump::handle
}
