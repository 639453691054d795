#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What sampling may cost: stacks of 20,000 procedures share a CPU with a cheap loop.  The
# bound holds, the target gets its work done, and weights are the CPU time that each had.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 taskset

cat >"$work/deep.tcl" <<'EOS'
lassign $argv levels rounds
interp recursionlimit {} 100000
proc spin {} {
	for {set i 0} {$i < 20000} {incr i} {}
}
proc down {levels rounds} {
	if {$levels} {
		down [expr {$levels - 1}] $rounds
	} else {
		while {$rounds != 0} {
			spin
			incr rounds -1
		}
	}
	return
}
down $levels $rounds
EOS
# CPU time of a process in ns.
cpu_time() {
	cut -d ' ' -f 1 "/proc/$1/schedstat"
}
weight() {
	grep "^$1;" "$work/out" | awk '{ n += $NF } END { print n + 0 }'
}

# Both on one CPU.
start taskset -c 0 tclsh8.6 "$work/deep.tcl" 20000 -1
deep=$target
start taskset -c 0 sh -c 'while :; do :; done'
cheap=$target
until_true 20 has_run "$deep" 50 || blame 'tclsh does not run'
profile_start -p "$deep,$cheap" -F 999 -d 60 -U --stats
deep_before=$(cpu_time "$deep") cheap_before=$(cpu_time "$cheap")
run_on "$cheap" 500
deep_time=$(($(cpu_time "$deep") - deep_before))
cheap_time=$(($(cpu_time "$cheap") - cheap_before))
profile_end INT
status_is 0
accounts
says 'samples would cost more than 5 % of a CPU'
says_no 'waited to be read'
share=$(($(weight tclsh8.6) * 1000 / ($(weight tclsh8.6) + $(weight sh))))
had=$((deep_time / ((deep_time + cheap_time) / 1000)))
off=$((share > had ? share - had : had - share))
[ $off -le 20 ] || blame "the deep one had $had of 1,000, it weighs $share" "$work/err"
walks=$(figure 'ns in .* walks')
[ "$walks" -le $(((deep_time + cheap_time) / 20)) ] ||
	blame "$walks ns in walks, of $((deep_time + cheap_time))" "$work/err"
verdict "weights: the deep one had $had of 1,000 parts of the time, it weighs $share"
stop "$deep" "$cheap"

# The time that the target needs for the same work, with the profiler and without.  What
# else runs on the machine disturbs it, so the best of some tries counts.
work_time() {
	start taskset -c 0 tclsh8.6 "$work/deep.tcl" 20000 4000
	until_true 20 has_run "$target" 5 || blame 'tclsh does not run'
	[ -z "${1:-}" ] || profile_start -p "$target" -F 999 -U --stats
	# The last look before it has gone.
	while time=$(cpu_time "$target" 2>/dev/null) && [ "${time:-0}" -gt 0 ]; do
		spent=$time
		sleep 0.01
	done
	wait "$target" 2>/dev/null
	[ -z "${1:-}" ] || profile_wait
}
best=0
for _ in 1 2 3; do
	work_time
	alone=$spent
	work_time profiled
	status_is 0
	accounts
	done=$((alone / (spent / 1000)))
	[ $done -le $best ] || best=$done
	[ $best -lt 930 ] || break
done
[ $best -ge 930 ] || blame "only $best of 1,000 parts of the work are done" "$work/err"
verdict "the target does $best of 1,000 parts of the work that it does alone"
exit "$failed"
