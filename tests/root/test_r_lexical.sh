#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# --lexical shows the stacks that R's own Rprof(filter.callframes = TRUE) shows, all
# of them and no others; without it there are those that Rprof filters.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need Rscript
[ "$(id -u)" = 0 ] || skip "needs root"

start Rscript --vanilla "$sources/lexical.R" "$work/table" 30
until_true 30 test -s "$work/table" || blame "no table" "$work/target.out"

# The R frames down to burn, by their plain names.
stacks() {
	sed -E 's/ [0-9]+$//; s/^[^;]*;//; s/[a-z]+:://g; s/<anonymous>/FUN/g' \
		"$work/out" | grep -o '^.*;burn\(;\|$\)' | sed 's/;$//' | sort -u
}
profile -p "$target" -F 499 --max-cost 100 -d 4 -U --lexical
status_is 0
accounts "$work/out"
sort -u "$work/table" >"$work/want"
stacks >"$work/got"
[ "$(wc -l <"$work/want")" -ge 5 ] || blame "Rprof saw little" "$work/want"
diff "$work/want" "$work/got" >"$work/diff" ||
	blame "< Rprof, > jpbpf" "$work/diff"
verdict "--lexical shows what Rprof's filter.callframes does"

profile -p "$target" -F 499 --max-cost 100 -d 3 -U
status_is 0
shows ';tries;base::tryCatch;tryCatchList;tryCatchOne;doTryCatch;burn'
shows ';promises;hand;take;burn'
verdict "without --lexical callers are those who called"
stop "$target"
exit "$failed"
