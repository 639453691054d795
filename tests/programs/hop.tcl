#!/usr/bin/tclsh8.6
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# A program like hop_one (see hop.h) in Tcl, with a library of its own:
# hop.tcl LEFT MS NEXT...  It finds its libraries in $PROGRAMS.
load [file join $env(PROGRAMS) truth_tcl.so] Truth
load [file join $env(PROGRAMS) hop_exec.so] Hop
proc hop_inner ms {truth::burn 1 $ms}
proc hop_outer ms {hop_inner $ms}
set next [lassign $argv left ms first]
hop_outer $ms
if {$left > 0} {
	hop::exec $first [expr {$left - 1}] $ms {*}$next $first
}
