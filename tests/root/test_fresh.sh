#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Libraries that are loaded while samples come fast: what the agent does not know yet is
# walked later.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript "$PROGRAMS/truth_r.so"
fastest_hz 9999

# at_most_one_in N SUM ALL WHAT
at_most_one_in() {
	[ "$3" -gt 0 ] || blame "no samples" "$work/err"
	[ $(($2 * $1)) -le "$3" ] || blame "$2 of $3 $4" "$work/err"
}
sum_of() {
	grep -E "$1" "$work/out" | awk '{ n += $NF } END { print n + 0 }'
}

# --------------------------------------------------------------- fresh libraries

cat >"$work/load.R" <<'EOF'
invisible(compiler::enableJIT(0))
files <- commandArgs(TRUE)
began <- Sys.time()
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
while (Sys.time() - began < 0.3) spin(2000)
work <- function(so) {
	dll <- dyn.load(so)
	.Call(getNativeSymbolInfo("truth_burn", dll), 3L, 5L)
}
for (so in files) work(so)
for (i in 1:200) spin(2000)
EOF
for r in 1 2 3; do
	for i in 1 2 3 4 5 6 7 8; do
		mkdir -p "$work/$r/$i"
		cp "$PROGRAMS/truth_r.so" "$work/$r/$i"
	done
done
cat >"$work/three.sh" <<'EOF'
for r in 1 2 3; do Rscript --vanilla "$1/load.R" "$1/$r"/[1-8]/truth_r.so & done
wait
EOF
# all_fresh WHAT: at most one sample of a thousand of R is cut, and those in the new libraries are
# exact.
all_fresh() {
	status_is 0
	accounts
	all=$(sum_of '^R;')
	cut=$(sum_of '^R;.*\[cut: ')
	at_most_one_in 1000 "$cut" "$all" 'are cut'
	grep 'truth_leaf_03 ' "$work/out" >"$work/leaf"
	shows '^R;' "$work/leaf"
	grep -vE '^R;([^;]*;)*work;(\.Call;)?truth_burn;truth_leaf_03 ' "$work/leaf" >"$work/wrong"
	shows_no . "$work/wrong"
	verdict "$1: $cut of $all cut, $lost lost"
}
profile -U -F "$hz" -- sh "$work/three.sh" "$work"
all_fresh "three R that load libraries, at $hz Hz"
profile_start -U -F "$hz"
sh "$work/three.sh" "$work"
profile_end INT
all_fresh 'the same, found on the whole host'
profile -U -F 4999 -- Rscript --vanilla "$work/load.R" "$work/1"/[1-8]/truth_r.so
all_fresh 'one R, at 4,999 Hz'

exit "$failed"
