#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Names that change, and targets that end, under 5,000 samples a second: no stack
# is wrong, and every sample is accounted for.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/churn.so"
hz=5000
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$limit" -lt $hz ]; then
	echo "# the limit is $limit Hz"
	hz=$limit
fi

churn() {
	rm -f "$work/table"
	start tclsh8.6 "$sources/churn.tcl" "$PROGRAMS/churn.so" "$work/table" "$1"
	until_true 20 test -s "$work/table" || blame 'does not begin' \
		"$work/target.out"
}
# Every sample in a leaf has the leaf's stack; all leaves have samples.
all_exact() {
	"$here/exact" "$work/table" "$work/out" >"$work/exact" || {
		grep -v '^ok' "$work/exact" >"$work/wrong"
		blame 'wrong stacks:' "$work/wrong"
	}
	share=$(sed -n 's/^exact.total = //p' "$work/exact")
}

churn 6
profile_start -p "$target" -F "$hz" -U --stats
profile_wait
status_is 0
accounts "$work/out"
all_exact
wait "$target" || blame 'the target has failed' "$work/target.out"
grep -q '^done' "$work/target.out" || blame 'it is not done' "$work/target.out"
verdict "names that change: exact/total = $share, $taken taken = $kept kept + $lost lost"
# The program evaluates nothing in these namespaces.
shows_no ';namespace eval ::comp_'
verdict 'names that change: no frame is made up while a body is compiled'

churn 60
profile_start -p "$target" -F "$hz" -U --stats
run_on "$target" 300
kill -KILL "$target"
profile_wait
status_is 0
accounts "$work/out"
all_exact
verdict "killed: exact/total = $share, $taken taken = $kept kept + $lost lost"

# One after the other, in the same memory and by the same names.  What is sampled
# before a new process is known says so in its stack.
run="tclsh8.6 '$sources/churn.tcl' '$PROGRAMS/churn.so' '$work/table' 0.5"
printf '%s\n' "$run" "$run" "$run" "$run" "$run" "$run" >"$work/runs"
profile -F "$hz" -U --stats -- sh "$work/runs"
status_is 0
accounts "$work/out"
grep '^tclsh8.6;' "$work/out" | grep -v '^tclsh8.6;\[cut: ' >"$work/whole"
mv "$work/whole" "$work/out"
all_exact
verdict "short lives: exact/total = $share, $taken taken = $kept kept + $lost lost"
exit "$failed"
