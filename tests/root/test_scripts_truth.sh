#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "scripts" must be exact: the commands of a main
# script, each of which runs once, with their lines.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "${TCLSH:-tclsh8.6}" "$PROGRAMS/truth_tcl.so"

profile -F 999 --max-cost 100 -U --lines -- "${TCLSH:-tclsh8.6}" "$sources/truth_scripts.tcl" \
	"$PROGRAMS/truth_tcl.so" "$work/table"
status_is 0
accounts
exactly "$work/table"
verdict "Tcl: commands of the main script ($exact)"
profile -F 999 --max-cost 100 -U -- "${TCLSH:-tclsh8.6}" "$sources/truth_scripts.tcl" \
	"$PROGRAMS/truth_tcl.so" "$work/table"
status_is 0
shows_no '(^|;)source [^;]*;'
verdict 'Tcl: scripts are no frames without --lines'
exit "$failed"
