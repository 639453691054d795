#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "rlines" must be exact, with the source
# line of each R frame; see tests/root/truth.  And a function that runs must be on a
# line of its own, but for the moments in which it is entered or left: then on none.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
"$here/truth" rlines "$@" || exit 1
need "$JPBPF" "${RSCRIPT:-Rscript}"

start_table "${RSCRIPT:-Rscript}" --vanilla "$sources/spin_lines.R" "$work/table" \
	90
profile_start -p "$target" -F 999 --max-cost 100 -U --lines
run_on "$target" 240
run_on "$target" 240
profile_end INT
status_is 0
[ -z "${KEEP:-}" ] || cp "$work/out" "$work/table" "$KEEP"
verdict 'R: lines of functions that run'
on_own_lines '(numbers|texts|vectors|called|calls)c?' 50 0.9
exit "$failed"
