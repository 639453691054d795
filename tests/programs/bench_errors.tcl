# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Raises 10,000 errors a second in bursts, each handled, and nothing else.

proc raise n {
	error "not this time: $n"
}
set errors 0
set begin [clock milliseconds]
proc tick {} {
	global errors begin
	while {$errors < ([clock milliseconds] - $begin) * 10} {
		catch {raise $errors}
		incr errors
	}
	after 10 tick
}
tick
vwait forever
