#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Functions and objects that come and go, garbage collection as often as can be,
# forks, and targets that end, under 5,000 samples a second: no stack is wrong, no
# name is stale, and every sample is accounted for.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript "$PROGRAMS/truth_r.so"
fastest_hz 5000

# churn SECONDS [TORTURE]
churn() {
	start_table Rscript --vanilla "$sources/churn.R" "$PROGRAMS/truth_r.so" \
		"$work/table" "$@"
}

churn 4
profile_exact
wait "$target" || blame 'the target has failed' "$work/target.out"
says 'done' "$work/target.out"
verdict "names that change: $figures"

churn 4 1000
profile_exact
says 'done' "$work/target.out"
verdict "gctorture2: $figures"

churn 60
profile_start -p "$target" -F "$hz" --max-cost 100 -U --stats
run_on "$target" 150
kill -KILL "$target"
profile_wait
accounts_exact
verdict "killed: $figures"

# One after the other, in the same memory and by the same names.  What is sampled
# before a new process is known says so in its stack.
run="Rscript --vanilla '$sources/churn.R' '$PROGRAMS/truth_r.so' '$work/table' 1.2"
printf '%s\n' "$run" "$run" "$run" >"$work/runs"
cat "$work/runs" "$work/runs" "$work/runs" >"$work/many"
profile -F 999 --max-cost 100 -U --stats -- sh "$work/many"
accounts_exact R
verdict "short lives: $figures"

# The stacks that wait while R starts, up to 600 KiB each, can need more room than there
# is at so many samples: what is lost then is counted, and the others are exact.
profile -F "$hz" --max-cost 100 -U --stats -- sh "$work/runs"
accounts_exact R 5
verdict "short lives, fast: $figures"

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
while (!file.exists(args[3]))
	Sys.sleep(0.05)
for (round in 1:10) {
	jobs <- lapply(1:4, function(n) parallel::mcparallel(child(n)))
	invisible(suppressWarnings(parallel::mccollect(jobs)))
}
cat("done\n")
END
start_table Rscript --vanilla "$work/forks.R" "$PROGRAMS/truth_r.so" "$work/table" \
	"$work/begin"
profile_start -p "$target" -F "$hz" --max-cost 100 -U --stats
: >"$work/begin"
profile_wait
accounts_exact
says 'done' "$work/target.out"
verdict "forks: $figures"
exit "$failed"
