#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f rprof: R's own summaryRprof() reads it, and says what is so.
# Runs beside others.
# shellcheck disable=SC2016,SC2119 # $ in quotes is R's
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript tclsh8.6

# summary LINES EXPRESSION...: all TRUE of s, what summaryRprof() returns, and of
# taken, the samples that the profiler says it kept.
summary() {
	read_summary
	cat >"$work/ask.R" <<-'END'
	args <- commandArgs(TRUE)
	s <- summaryRprof(args[1], lines = args[2])
	kept <- as.numeric(args[3])
	total <- function(name) s$by.total[sprintf("\"%s\"", name), "total.pct"]
	for (ask in args[-(1:3)])
		if (!isTRUE(eval(parse(text = ask))))
			cat("not TRUE:", ask, "\n")
	END
	lines=$1
	shift
	Rscript --vanilla "$work/ask.R" "$work/out" "$lines" "$kept" "$@" \
		>"$work/answer" 2>&1 || blame 'R fails' "$work/answer"
	[ ! -s "$work/answer" ] || {
		head -n 30 "$work/out" >>"$work/answer"
		blame 'summaryRprof() says else' "$work/answer"
	}
}

cat >"$work/busy.R" <<'EOF'
invisible(compiler::enableJIT(0))
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
three <- function() spin(3000)
`two words` <- function(f) f()
one <- function() spin(1000)
work <- function() { three(); one(); `two words`(function() spin(1000)); many() }
many <- function() { lapply(1:2, function(i) spin(500)); Negate(two)() }
two <- function() obj$a$run()
obj <- list(a = list(run = function() spin(1000)))
while (TRUE) work()
EOF
start_r
# By the target's CPU time, which on a busy machine takes longer.
profile_start -p "$target" -F 4999 --max-cost 100 -U -f rprof
run_on "$target" 150
profile_end INT
stop "$target"
status_is 0
head -n 1 "$work/out" | grep -qx 'sample.interval=200' ||
	blame 'the first line' "$work/out"
summary hide 's$sample.interval == 2e-4' \
	'kept > 5000' \
	'abs(s$sampling.time / 2e-4 - kept) < 0.5' \
	'total("R") == 100' \
	'total("work") > 99' \
	'total("spin") > 97' \
	'total("many") > 10 && abs(total("many") / total("lapply") - 2) < 0.5' \
	'total("<Anonymous>") - total("two") < 1' \
	'total("two") - total("obj$a$run") < 1' \
	'!any(grepl("::", rownames(s$by.total)))' \
	'abs(total("three") / total("one") - 3) < 0.5' \
	'abs(total("three") / total("two\u00a0words") - 3) < 0.5' \
	'total("two\u00a0words") - total("f") < 1' \
	'!any(grepl("interpreter", rownames(s$by.total)))' \
	's$by.self["\"spin\"", "self.pct"] > 50' \
	'abs(sum(s$by.self$self.time) / s$sampling.time - 1) < 0.01' \
	'!any(grepl("libR", rownames(s$by.total)))'
verdict 'R: summaryRprof() finds all samples, and the functions that took them'

# The same file, of which R keeps the lines: spin is 2, three 3, work 6.
cp "$work/busy.R" "$work/kept.R"
echo 'source(commandArgs(TRUE), keep.source = TRUE)' >"$work/busy.R"
start_r "$work/kept.R"
# Line 3 takes three parts of seven: of so many samples five deviations above the bound.
profile_start -p "$target" -F 4999 --max-cost 100 -U -f rprof --lines
run_on "$target" 150
profile_end INT
stop "$target"
status_is 0
head -n 1 "$work/out" | grep -qx 'line profiling: sample.interval=200' ||
	blame 'the first line' "$work/out"
summary show 'kept > 5000' \
	's$by.line["kept.R#6", "total.pct"] > 95' \
	's$by.line["kept.R#3", "total.pct"] > 40' \
	's$by.line["kept.R#3", "self.pct"] < 5'
verdict 'R, with --lines: summaryRprof() has the lines of a file'

# A name that looks as if it had a place.
cat >"$work/place.tcl" <<'EOF'
proc {w (x.tcl:12)} {} {for {set i 0} {$i < 5000} {incr i} {}}
while 1 {{w (x.tcl:12)}}
EOF
start tclsh8.6 "$work/place.tcl"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'
profile -p "$target" -F 999 -U -d 0.5 -f rprof
stop "$target"
status_is 0
head -n 1 "$work/out" | grep -qx 'sample.interval=1001' ||
	blame 'the first line' "$work/out"
shows '^"w\\x20\\x28x.tcl:12\)" '
verdict 'without --lines no name is taken for a place'

start_tcl
profile_start -p "$target" -F 999 -U -f rprof --lines
run_on "$target" 80
profile_end INT
stop "$target"
status_is 0
head -n 1 "$work/out" | grep -qx 'line profiling: sample.interval=1001' ||
	blame 'the first line' "$work/out"
# spin is line 1, work is line 2.
summary show 'kept > 500' \
	'rownames(s$by.self)[1] == "busy.tcl#1"' \
	's$by.line["busy.tcl#2", "total.pct"] > 80'
verdict 'with --lines: summaryRprof() has the lines of a file'
summary both 'total("spin") > 80' 's$by.total["busy.tcl#1", 2] > 80'
verdict 'with --lines: and the functions beside them'
exit "$failed"
