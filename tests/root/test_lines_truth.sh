#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "lines" must be exact, with the source
# line of each Tcl frame; see tests/root/truth.  And bytecode that runs must be on a
# line of its own proc, where it has one, which it mostly has.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
"$here/truth" lines "$@" || exit 1
[ $# = 0 ] || exit 0
need "$JPBPF" "${TCLSH:-tclsh8.6}"

start_table "${TCLSH:-tclsh8.6}" "$sources/spin_lines.tcl" "$work/table" 90
profile_start -p "$target" -F 999 --max-cost 100 -U --lines
run_on "$target" 200
run_on "$target" 200
profile_end INT
status_is 0
verdict 'Tcl: lines of procs that run'
on_own_lines '(numbers|texts|lists|dicts)' 100 0.75
exit "$failed"
