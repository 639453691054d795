#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What an interpreter tells through jpbpf-interp.h stands between the right C functions, in
# each way in which the library can be in a program.
# Runs beside others.
#
#     SECONDS_EACH=30 SEED=2 tests/run tests/root/test_calc_truth.sh
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
calc=$PROGRAMS/calc
each=${SECONDS_EACH:-1}
root_is_cut=
need "$JPBPF" "$calc" "${calc}_so" "${calc}_load" "${calc}_cxx" "${calc}_musl"

# run_calc PROGRAM WORD...: a profile of it, all of whose stacks are exact.
run_calc() {
	"$@" &
	target=$!
	started="$started $target"
	sleep 0.2
	"$JPBPF" -U -p "$target" -d "$each" -F 5000 --max-cost 100 --stats -f folded >"$work/out" 2>"$work/err"
	kill "$target"
}
exact() {
	[ "$root_is_cut" ] && sed -i "$root_is_cut" "$work/out"
	"$(dirname "$0")/calc_exact" "$work/out" >"$work/exact" 2>&1 || blame 'wrong stacks' "$work/exact"
}
calc_row() {
	what=$1
	shift
	run_calc "$@"
	exact
	for status in READ ORDER UNPLACED LIMIT VERSION NOT_READY NAME; do
		says "stats: SHADOW_$status 0" "$work/err"
	done
	verdict "$what: $(cat "$work/exact")"
}
s=${SEED:-1}
calc_row 'errors' "$calc" -s "$s"
calc_row 'threads and signals' "$calc" -s "$s" -t 2 -k
calc_row 'coroutines' "$calc" -s "$s" -t 2 -c
calc_row 'generators' "$calc" -s "$s" -g
calc_row 'all of it' "$calc" -s "$s" -t 3 -c -g -k
calc_row 'a shared library' "${calc}_so" -s "$s" -k
# Static programs have no names but their own symbols', which are there.
calc_row 'static' "${calc}_static" -s "$s" -k
# Its start has no unwind information.
root_is_cut='s/^[^;]*;\[cut: [^;]*\]/calc/'
calc_row 'musl' "${calc}_musl" -s "$s" -k
calc_row 'musl, static' "${calc}_musl_static" -s "$s" -k
root_is_cut=

# The second copy comes while it is profiled.
"${calc}_load" "$calc.so" &
target=$!
started="$started $target"
"$JPBPF" -U -p "$target" -d 3 -F 999 --stats -f folded >"$work/out" 2>"$work/err"
kill "$target"
shows ';load;own::loads;calc_main;thread;catch_;run;word_'
says 'stats: SHADOW_UNPLACED 0' "$work/err"
sed 's/own::loads;//' "$work/out" | grep calc_main >"$work/second"
mv "$work/second" "$work/out"
exact
verdict "two copies in one process: $(cat "$work/exact")"

run_calc "${calc}_cxx"
sed -E 's/(run_[a-z]*)[.]cold/\1/g; s/ [0-9]+$//' "$work/out" | grep -vE \
	'^[^;]*;main(;run_outer(;cxx::outer)?|;run_outer;cxx::outer;run_inner(;cxx::inner)?)?(;([^c]|c[^x])[^;]*)*$' \
	>"$work/wrong"
[ -s "$work/wrong" ] && blame 'wrong stacks' "$work/wrong"
shows ';run_outer;cxx::outer;run_inner;cxx::inner;spin '
shows ';run_outer([.]cold)?;cxx::outer;spin '
verdict 'C++, exceptions'

"$calc" -s "$s" &
target=$!
started="$started $target"
# For an instant between two words there is none.
# shellcheck disable=SC2317 # until_true calls it
dump_of_word() {
	"$JPBPF" dump -p "$target" >"$work/out" 2>"$work/err"
	grep -q 'S [wb][0-7] ' "$work/out"
}
until_true 1 dump_of_word || blame 'no dump has a word' "$work/out"
kill "$target"
verdict 'dump'

# R, Tcl and what is told, one inside the other.
Rscript --vanilla "$sources/told.R" "$PROGRAMS/told_r.so" "$PROGRAMS/told_tcl.so" &
target=$!
started="$started $target"
sleep 1
"$JPBPF" -U -p "$target" -d 3 -F 499 --stats -f folded >"$work/out" 2>"$work/err"
kill "$target"
grep ';spin' "$work/out" >"$work/spins"
grep -vE ';first;([^;]*;)*told_r;third::in_r;([^;]*;)*middle;([^;]*;)*outer;([^;]*;)*told;third::in_tcl;([^;]*;)*inner;([^;]*;)*back;spin[; ]' \
	"$work/spins" >"$work/wrong" && blame 'wrong stacks' "$work/wrong"
count=$(awk '{ n += $NF } END { print n + 0 }' "$work/spins")
at_least 500 "$count" 'samples in R within Tcl within R'
for status in SHADOW_UNPLACED R_UNPLACED; do
	says "stats: $status 0" "$work/err"
done
verdict "R, Tcl and a third language in one process: $count samples"

# What a program counts is what its samples say.
"$calc" -s "$s" >"$work/counted" &
target=$!
started="$started $target"
sleep 0.2
kill -USR1 "$target"
"$JPBPF" record -U -p "$target" -d 2 -F 999 --max-cost 100 -o "$work/counts.jpb" 2>"$work/err"
kill -USR1 "$target"
until_true 5 grep -q . "$work/counted"
sleep 0.2
kill "$target"
"$JPBPF" convert "$work/counts.jpb" -e counts -f jsonl >"$work/lines"
counted=$(perl -MJSON::PP -ne '$n += decode_json($_)->{value} // 0; END { print $n + 0 }' "$work/lines")
grew=$(awk 'NR == 1 { from = $1 } { to = $1 } END { print to - from }' "$work/counted")
at_least $((grew * 7 / 10)) "$counted" "of $grew counts"
at_most "$grew" "$counted" "of $grew counts"
verdict "counts: $counted of $grew, which includes begin and end of the run"
exit "$failed"
