#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Functions and objects that come and go, garbage collection as often as can be,
# forks, and targets that end, under 5,000 samples a second: no stack is wrong, no
# name is stale, and every sample is accounted for.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript "$PROGRAMS/truth_r.so"
hz=5000
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$limit" -lt $hz ]; then
	echo "# the limit is $limit Hz"
	hz=$limit
fi

# churn SECONDS [TORTURE]
churn() {
	rm -f "$work/table"
	start Rscript --vanilla "$sources/churn.R" "$PROGRAMS/truth_r.so" \
		"$work/table" "$@"
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

churn 4
profile_start -p "$target" -F "$hz" -U --stats
profile_wait
status_is 0
accounts "$work/out"
all_exact
wait "$target" || blame 'the target has failed' "$work/target.out"
grep -q '^done' "$work/target.out" || blame 'it is not done' "$work/target.out"
verdict "names that change: exact/total = $share, $taken taken = $kept kept + $lost lost"

churn 4 1000
profile_start -p "$target" -F "$hz" -U --stats
profile_wait
status_is 0
accounts "$work/out"
all_exact
grep -q '^done' "$work/target.out" || blame 'it is not done' "$work/target.out"
verdict "gctorture2: exact/total = $share, $taken taken = $kept kept + $lost lost"

churn 60
profile_start -p "$target" -F "$hz" -U --stats
run_on "$target" 150
kill -KILL "$target"
profile_wait
status_is 0
accounts "$work/out"
all_exact
verdict "killed: exact/total = $share, $taken taken = $kept kept + $lost lost"

# One after the other, in the same memory and by the same names.  What is sampled
# before a new process is known says so in its stack.
run="Rscript --vanilla '$sources/churn.R' '$PROGRAMS/truth_r.so' '$work/table' 1.2"
printf '%s\n' "$run" "$run" "$run" >"$work/runs"
profile -F "$hz" -U --stats -- sh "$work/runs"
status_is 0
accounts "$work/out"
grep '^R;' "$work/out" | grep -v '^R;\[cut: ' >"$work/whole"
mv "$work/whole" "$work/out"
all_exact
verdict "short lives: exact/total = $share, $taken taken = $kept kept + $lost lost"

# Children that make functions of their own in the memory they share with their
# parent, and end by themselves or are killed.
cat >"$work/forks.R" <<'END'
invisible(compiler::enableJIT(0))
args <- commandArgs(TRUE)
C_flash <- getNativeSymbolInfo("truth_flash", dyn.load(args[1]))
writeLines(sprintf("truth_leaf_%02d\t**;in_child_%d;.Call;truth_flash;truth_leaf_%02d\tchild %d",
		   1:4, 1:4, 1:4, 1:4), args[2])
child <- function(n) {
	name <- paste0("in_child_", n)
	eval(parse(text = sprintf(
		"for (i in 1:200) { %s <- function(n) .Call(C_flash, n); %s(%d); rm(%s) }",
		name, name, n, name)))
	if (n > 2)
		tools::pskill(Sys.getpid(), tools::SIGKILL)
}
end <- proc.time()[[3]] + 2
while (proc.time()[[3]] < end) {
	jobs <- lapply(1:4, function(n) parallel::mcparallel(child(n)))
	invisible(suppressWarnings(parallel::mccollect(jobs)))
}
cat("done\n")
END
rm -f "$work/table"
start Rscript --vanilla "$work/forks.R" "$PROGRAMS/truth_r.so" "$work/table"
until_true 20 test -s "$work/table" || blame 'does not begin' "$work/target.out"
profile_start -p "$target" -F "$hz" -U --stats
profile_wait
status_is 0
accounts "$work/out"
all_exact
grep -q '^done' "$work/target.out" || blame 'it is not done' "$work/target.out"
verdict "forks: exact/total = $share, $taken taken = $kept kept + $lost lost"
exit "$failed"
