#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Names that change, and targets that end, under 5,000 samples a second: no stack
# is wrong, and every sample is accounted for.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/churn.so"
fastest_hz 5000

# churn SECONDS
churn() {
	start_table tclsh8.6 "$sources/churn.tcl" "$PROGRAMS/churn.so" \
		"$work/table" "$@"
}

churn 6
profile_exact
wait "$target" || blame 'the target has failed' "$work/target.out"
says 'done' "$work/target.out"
verdict "names that change: $figures"
# The program evaluates nothing in these namespaces.
shows_no ';namespace eval ::comp_'
verdict 'names that change: no frame is made up while a body is compiled'

churn 60
profile_start -p "$target" -F "$hz" --max-cost 100 -U --stats
run_on "$target" 300
kill -KILL "$target"
profile_wait
accounts_exact
verdict "killed: $figures"

# One after the other, in the same memory and by the same names.  What is sampled
# before a new process is known says so in its stack.
run="tclsh8.6 '$sources/churn.tcl' '$PROGRAMS/churn.so' '$work/table' 0.5"
printf '%s\n' "$run" "$run" "$run" "$run" "$run" "$run" >"$work/runs"
profile -F "$hz" --max-cost 100 -U --stats -- sh "$work/runs"
accounts_exact tclsh8.6
verdict "short lives: $figures"
exit "$failed"
