#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What the closing summary calls a fault, and what it says of notices that were lost.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript "$PROGRAMS/truth_r.so" "$PROGRAMS/truth_tcl.so" \
	"$PROGRAMS/hostile_maps"
maps=$PROGRAMS/hostile_maps
samples() {
	grep -E -e "$1" "$work/out" | awk '{ n += $NF } END { print n + 0 }'
}

# ---------------------------------------------------------- threads without the interpreter

cat >"$work/threads.R" <<EOF
dll <- dyn.load("$PROGRAMS/truth_r.so")
threads <- getNativeSymbolInfo("truth_threads", dll)
work <- function() .Call(threads, 1L, 20L)
repeat work()
EOF
start Rscript --vanilla "$work/threads.R"
until_true 30 has_run "$target" 60 || blame 'R does not run' "$work/target.out"
profile_start -p "$target" -F 499 -U --stats
run_on "$target" 60
profile_end INT
status_is 0
accounts
in_thread=$(samples ';truth_thread;truth_leaf_01 ')
[ "$in_thread" -ge 100 ] || blame "only $in_thread samples in threads" "$work/out"
counted=$(sed -n 's/.* R_OTHER_THREAD //p' "$work/err")
[ "$counted" -ge "$in_thread" ] || blame "$counted counted, $in_thread taken" "$work/err"
says_no 'interpreter frames not placed'
says_no 'does not run the interpreter'
verdict "R's other threads: $in_thread exact stacks, none listed as a fault"
stop "$target"

# --------------------------------------------------------- mappings while it starts

# The first look takes long where a process has 60,000 mappings, and another one maps
# code all the time: without a reader the rings are full within milliseconds.
start "$maps" many "$maps"
many=$target
start "$maps" churn "$maps"
until_true 20 grep -q ready "$work/target.out" || blame 'no churn'
until_true 20 has_run "$many" 10 || blame 'no mappings'
for try in 1 2 3; do
	profile -a -d 0.3
	status_is 0
	grep -q 'notices of new mappings' "$work/err" || break
	[ $try -lt 3 ] || says_no 'notices of new mappings'
done
verdict 'no notice of a mapping is lost while it takes its first look'
stop "$many" "$target"

# --------------------------------------------------------------- notices that are lost

# jpbpf is stopped while a target loads code, and the mappings of another fill the rings.
cat >"$work/late.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc before {} {spin 5000}
lassign $argv go so loaded
while {![file exists $go]} before
load $so Truth
proc after_load {} {truth::burn 1 20}
close [open $loaded w]
while 1 after_load
EOF
start tclsh8.6 "$work/late.tcl" "$work/go" "$PROGRAMS/truth_tcl.so" "$work/loaded"
late=$target
until_true 20 has_run "$late" 10 || blame 'tclsh does not run'
profile_start -p "$late" -F 99 -U
run_on "$late" 20
kill -STOP "$profiler"
start "$maps" many "$maps"
until_true 20 grep -q ready "$work/target.out" || blame 'no mappings'
touch "$work/go"
until_true 20 test -e "$work/loaded" || blame 'does not load' "$work/target.out"
run_on "$late" 20
kill -CONT "$profiler"
run_on "$late" 30
profile_end INT
status_is 0
accounts
notices=$(sed -n 's/.* \([0-9]*\) notices of new mappings were lost.*/\1/p' "$work/err")
[ "${notices:-0}" -ge 10000 ] || blame "only ${notices:-0} notices lost" "$work/err"
said=$(sed -n 's/.* lost: at most \([0-9]*\) samples in code that was new are cut.*/\1/p' "$work/err")
cut=$(samples '\[cut: address in no known mapping\]')
[ "$said" = "$cut" ] || blame "$cut samples are cut, it says $said" "$work/err"
shows '^tclsh8.6;after_load;::truth::burn;truth_leaf_01 '
verdict "$notices notices lost: it says what became of that, $cut samples cut"
stop "$late" "$target"
exit "$failed"
