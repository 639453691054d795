#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Code at the top level of files, with --lines: in the script that R was started with,
# in both ways, and in what it sources; where R keeps the source and where not.  Every
# stack must be exact, with all lines.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript "$PROGRAMS/truth_r.so"
fastest_hz 999
none='R kept no source'

# An expression of more than 4 KiB.
awk '{ print } / fill$/ { for (i = 0; i < 150; i++) print }' \
	"$sources/truth_r_top.R" >"$work/a top.R"
cp "$sources/truth_r_top_part.R" "$work/part.R"
# What is sampled in it before its tables are ready is kept.
cp "$PROGRAMS/truth_r.so" "$work/truth_r.so"

# top KEPT COMMAND...: the script's name comes next.
top() {
	keep=$1
	shift
	rm -f "$work/begin"
	last=
	[ "$1" = Rscript ] || last=--args
	# shellcheck disable=SC2086 # an option or nothing
	start_table "$@" "$work/a top.R" $last "$(realpath "$PROGRAMS/truth_r.so")" \
		"$work/table" "$work/begin" "$work/part.R" "$keep"
	profile_start -p "$target" -F "$hz" --max-cost 100 -U --stats --lines
	: >"$work/begin"
	profile_wait
	accounts_exact
	says "$none"
}

for keep in TRUE FALSE; do
	top "$keep" Rscript --vanilla
	verdict "Rscript FILE, keep.source $keep: $figures"
	top "$keep" R --vanilla --no-echo -f
	verdict "R -f FILE, keep.source $keep: $figures"
done

# Why there are no lines is said only where that is the reason.
sed '1i options(keep.source = TRUE)' "$work/busy.R" >"$work/kept.R"
for script in kept:6 busy:5; do
	line=${script#*:}
	script=${script%:*}
	start Rscript --vanilla "$work/$script.R"
	until_true 30 has_run "$target" 40 || blame 'R does not run'
	profile -p "$target" -F "$hz" --max-cost 100 -d 1 -U --lines
	stop "$target"
	status_is 0
	shows ";source $script\\.R \\([^;]*:$line\\);work"
	[ "$script" = busy ] || says_no "$none"
	[ "$script" = kept ] || says "$none"
	verdict "$script.R: what the summary says of missing lines"
done
exit "$failed"
