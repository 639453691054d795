#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The first samples of programs that begin under the profiler, and all samples of
# those that are hardly there.  Environment: STORM (4, thousands of processes).
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/first" "$PROGRAMS/first_late.so" \
	"$PROGRAMS/truth_tcl.so" Rscript "$PROGRAMS/truth_r.so"
first=$PROGRAMS/first
storm=${STORM:-4}

# whole_of COMM [FOLDED]: $samples of that command, and how many are $whole.
whole_of() {
	# shellcheck disable=SC2046 # two numbers
	set -- $(awk -v comm="$1" '
		index($0, comm ";") == 1 {
			n += $NF
			if (!/\[cut/)
				whole += $NF
		}
		END { print n + 0, whole + 0 }' "${2:-$work/out}")
	samples=$1 whole=$2
}
# nearly_whole COMM LEAST: at least 95 % of its samples, and of those so many.
nearly_whole() {
	whole_of "$1"
	[ "$samples" -ge "$2" ] || blame "only $samples samples of $1"
	[ $((whole * 100)) -ge $((samples * 95)) ] ||
		blame "$whole of $samples stacks of $1 are whole" "$work/out"
}
# exactly LEAF STACK: every stack that ends in the leaf, the kernel's frames left
# out, is that one.
exactly() {
	sed -E 's/(;[^;]*_\[k\])* ([0-9]+)$/ \2/' "$work/out" |
		awk -v leaf="$1" -v want="$2" '{
			n = $NF
			sub(/ [0-9]+$/, "")
			if ($0 !~ ("(^|;)" leaf "$"))
				next
			all += n
			if ($0 == want)
				good += n
			else
				print n, $0
		} END { print all + 0, good + 0 >"/dev/stderr" }' \
			>"$work/wrong" 2>"$work/counts"
	read -r all good <"$work/counts"
	[ "$all" -gt 0 ] || blame "no sample in $1" "$work/out"
	[ "$all" = "$good" ] ||
		blame "$good of $all stacks of $1 are exact, not:" "$work/wrong"
}
nothing_lost() {
	[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
}

# ------------------------------------------------------------ short lives

stack='first;main;first_outer;first_inner;first_leaf'
profile -F 999 -- "$first" times 200 "$first" burn 20
status_is 0
accounts "$work/out"
nothing_lost
nearly_whole first 2000
exactly first_leaf "$stack"
verdict "200 programs of 20 ms: $whole of $samples whole, leaf $good of $all"

# The same beside whatever else runs here.
profile_start -a -F 999
"$first" times 200 "$first" burn 20
profile_end INT
status_is 0
accounts
nearly_whole first 2000
exactly first_leaf "$stack"
verdict "the same on the whole host: $whole of $samples, leaf $good of $all"

cat >"$work/short.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc short {} {
	set end [expr {[clock milliseconds] + 15}]
	while {[clock milliseconds] < $end} {spin 500}
}
short
EOF
profile -F 999 -- "$first" times 100 tclsh8.6 "$work/short.tcl"
status_is 0
accounts
nothing_lost
nearly_whole tclsh8.6 500
shows '^tclsh8.6;short;spin(;| )'
shows_no '^tclsh8.6;.*\[cut: (unwind table not|address in no)'
verdict "100 tclsh of 20 ms: $whole of $samples whole"

profile_start -F 999
"$first" times 100 tclsh8.6 "$work/short.tcl"
profile_end INT
status_is 0
accounts
nearly_whole tclsh8.6 500
shows '^tclsh8.6;short;spin(;| )'
verdict "the same among all Tcl and R processes: $whole of $samples whole"

# R's start, with all that it maps; the stack is deeper than anywhere else.
echo 'invisible(1)' >"$work/nothing.R"
profile -F 1999 -- Rscript --vanilla "$work/nothing.R"
status_is 0
accounts
nothing_lost
nearly_whole R 100
verdict "R's own start: nothing lost, $whole of $samples whole"

profile_start -F 1999
Rscript --vanilla "$work/nothing.R"
profile_end INT
status_is 0
accounts
nearly_whole R 100
verdict "the same, found by itself: $whole of $samples whole"

# ------------------------------------------------------------ the whole host

# Both begin after the profiler and have ended before it does.
sed 's/work/born_late/g' "$work/busy.tcl" >"$work/late.tcl"
sed 's/work/born_late/g' "$work/busy.R" >"$work/late.R"
touch "$work/now"
profile_start -F 999 -o "$work/folded"
start tclsh8.6 "$work/late.tcl" "$work/now"
tclsh=$target
start Rscript --vanilla "$work/late.R" "$work/now"
until_true 60 gone "$tclsh" || blame 'tclsh does not end'
until_true 60 gone "$target" || blame 'R does not end' "$work/target.out"
profile_end INT
status_is 0
accounts "$work/folded"
shows '^tclsh8.6;born_late;spin(;| )' "$work/folded"
shows '^R;born_late;spin(;| )' "$work/folded"
# From the first sample on.  (R is also the name of the shell that starts R, which is
# none of ours.)
shows_no '^(tclsh8.6|R);.*\[cut: ' "$work/folded"
grep 'born_late' "$work/folded" >"$work/late"
shows_no '\[cut|\[unknown' "$work/late"
verdict 'whole host: processes that begin later, and have ended, have names'

# ---------------------------------------------------------- a new library

# A copy, so that it is a file that nobody has seen.
cp "$PROGRAMS/first_late.so" "$work/never_seen.so"
profile -F 999 -- "$first" load "$work/never_seen.so" 300
status_is 0
accounts
nothing_lost
shows_no '\[cut'
exactly late_leaf 'first;main;late_outer;late_leaf'
verdict "dlopen: $good of $all samples in a new library are exact"

# By Tcl: frames outward of the library are Tcl's own.
cp "$PROGRAMS/truth_tcl.so" "$work/never_seen_tcl.so"
cat >"$work/load.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc load_and_burn so {
	load $so Truth
	for {set i 0} {$i < 30} {incr i} {truth::callv ::truth::burn 5 10}
}
for {set i 0} {$i < 200} {incr i} {spin 50000}
load_and_burn [lindex $argv 0]
EOF
profile -F 999 -U -- tclsh8.6 "$work/load.tcl" "$work/never_seen_tcl.so"
status_is 0
accounts
nothing_lost
grep 'truth_leaf_05 ' "$work/out" >"$work/leaf"
shows_no '\[cut' "$work/leaf"
shows '^tclsh8.6;load_and_burn;::truth::callv;truth_outer;truth_inner;::truth::burn;truth_leaf_05 '
verdict 'load: a new extension of Tcl is whole from its first sample'

# R's own frames are known by addresses on the stack: they are whole as well.
cat >"$work/load.R" <<'EOF'
invisible(compiler::enableJIT(0))
work <- function(so) {
	dll <- dyn.load(so)
	.Call(getNativeSymbolInfo("truth_burn", dll), 3L, 5L)
}
for (so in commandArgs(TRUE)) work(so)
EOF
for i in 1 2 3 4 5 6 7 8; do
	mkdir "$work/$i"
	cp "$PROGRAMS/truth_r.so" "$work/$i"
done
profile -F 999 -U -- Rscript --vanilla "$work/load.R" "$work"/[1-8]/truth_r.so
status_is 0
accounts
nothing_lost
grep 'truth_leaf_' "$work/out" >"$work/leaf"
shows '^R;work;' "$work/leaf"
grep -vE '^R;work;([^;]*;)*truth_leaf_0[03] ' "$work/leaf" >"$work/wrong"
[ ! -s "$work/wrong" ] || blame 'other stacks:' "$work/wrong"
verdict 'dyn.load: a new library of R has its R frames from its first sample'

# ----------------------------------------------------------------- a storm

profile --stats -F 999 -- "$first" storm 1000 "$storm"
status_is 0
accounts
nothing_lost
! grep -q 'were lost' "$work/err" || blame 'notices were lost' "$work/err"
[ "$(figure 'processes known')" -le 2 ] ||
	blame "$(figure 'processes known') processes are still known" "$work/err"
[ "$(figure "in the kernel's table")" -le 2 ] ||
	blame "$(figure "in the kernel's table") entries are left" "$work/err"
[ "$(figure 'samples wait')" = 0 ] || blame 'samples still wait' "$work/err"
verdict "${storm},000 forks and execs at 1,000 a second: nothing lost, nothing left"
exit "$failed"
