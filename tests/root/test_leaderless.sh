#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Processes whose first thread has exited while others live: C, Tcl and R, with every way
# to choose them, and where the first thread exits before and under the profiler.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
library=$PROGRAMS/leaderless.so
need "$JPBPF" tclsh8.6 R "$library" "$PROGRAMS/deep" "$PROGRAMS/truth_tcl.so" \
	"$PROGRAMS/truth_r_embed" "$PROGRAMS/truth_r.so"
# Other programs of these kinds may run here.
cp "$PROGRAMS/deep" "$work/less_c"
cp "$(realpath "$(command -v tclsh8.6)")" "$work/less_tcl"
cp "$PROGRAMS/truth_r_embed" "$work/less_r"
R_HOME=$(R RHOME)
export R_HOME TRUTH_OUTER='**;truth_run;truth_script;go'

# leaderless KIND COMMAND...: the command with the program behind it.
leaderless() {
	kind=$1
	shift
	set -- "$@" env LD_PRELOAD="$library" LEADER_STAYS="$work/stays"
	case $kind in
	c) "$@" "$work/less_c" 60 "$work/table" ;;
	tcl) "$@" "$work/less_tcl" "$sources/truth_tcl.tcl" "$PROGRAMS/truth_tcl.so" \
		"$work/table" 60 procs ;;
	r) "$@" "$work/less_r" thread "$sources/truth_r.R" \
		"$PROGRAMS/truth_r.so" "$work/table" 60 default ;;
	esac
}
has_no_leader() {
	grep -q '^State:.Z' "/proc/$target/status"
}
run_half() {
	before=$(ticks "$target")
	run_on "$target" 50
	ran=$(($(ticks "$target") - before))
	has_no_leader || blame 'the first thread lives'
}
# Every stack is exact, but for those that say that Tcl or R was not examined yet, and
# there are as many samples as the time has, but for a fifth.
check() {
	accounts
	grep "^$name;" "$work/out" >"$work/own"
	own=$(awk '{ n += $NF } END { print n + 0 }' "$work/own")
	at_least $((ran * 8)) "$own" "samples at 999 Hz in $ran ticks of CPU time"
	grep -Ev '^[^;]*;(\[[^;]*\];)*\[(tcl|r) frame\];' "$work/own" >"$work/whole"
	exactly "$work/table" "$work/whole"
}
look() {
	profile_start -F 999 --max-cost 100 -U "$@"
	rm -f "$work/stays"
	run_half
	profile_end INT
	status_is 0
	check
}

for kind in c tcl r; do
	name=less_$kind
	rm -f "$work/table"
	: >"$work/stays"
	leaderless "$kind" start
	until_true 30 test -s "$work/table" || blame 'does not begin' "$work/target.out"
	look -p "$target"
	verdict "$kind, the first thread exits under the profiler: $exact"
	look -p "$target"
	verdict "$kind, -p: $exact"
	look -t "$(cd "/proc/$target/task" && echo * | tr ' ' ',')"
	verdict "$kind, -t: $exact"
	look -a
	verdict "$kind, -a: $exact"
	"$JPBPF" info "$target" >"$work/info" 2>&1
	case $kind in
	c) says 'there is no Tcl or R in process' "$work/info" ;;
	tcl) says 'libtcl8.6.so' "$work/info" ;;
	r) says 'libR.so' "$work/info" ;;
	esac
	verdict "$kind: info"
	stop "$target"

	# Followed from its start.
	rm -f "$work/table" "$work/stays"
	leaderless "$kind" profile_start -F 999 --max-cost 100 -U --
	until_true 30 test -s "$work/table" || blame 'does not begin' "$work/err"
	target=$(pgrep -P "$profiler" -x "$name")
	started="$started $target"
	run_half
	kill -KILL "$target"
	profile_wait
	check
	verdict "$kind, followed from its start: $exact"
done
exit "$failed"
