#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What sampling may cost: stacks of 20,000 procedures share a CPU with a cheap loop.  The
# bound holds, the target gets its work done, and weights are the CPU time that each had.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 taskset

cat >"$work/deep.tcl" <<'EOS'
lassign $argv levels rounds go spent
interp recursionlimit {} 100000
proc spin {} {
	for {set i 0} {$i < 20000} {incr i} {}
}
# CPU time of this process in ns.
proc cpu_time {} {
	set file [open /proc/self/schedstat]
	set time [lindex [gets $file] 0]
	close $file
	return $time
}
proc down {levels} {
	global rounds go spent
	if {$levels} {
		down [expr {$levels - 1}]
		return
	}
	while {$go ne {} && ![file exists $go]} {
		after 10
	}
	set began [cpu_time]
	while {$rounds != 0} {
		spin
		incr rounds -1
	}
	set file [open $spent w]
	puts $file [expr {[cpu_time] - $began}]
	close $file
}
down $levels
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

# What the same work costs with the profiler and without, in CPU time.  The two share a CPU
# by turns of milliseconds, so what else runs on the machine disturbs both alike.  The
# profiled one has half of the CPU: 2 % of the CPU are 4 % of its time.
for name in profiled alone; do
	start taskset -c 0 tclsh8.6 "$work/deep.tcl" 20000 12000 "$work/go" "$work/$name"
	[ $name = alone ] || profiled=$target
done
profile_start -p "$profiled" -F 999 -U --stats --max-cost 2
touch "$work/go"
until_true 60 test -s "$work/alone" || blame 'tclsh does not end'
profile_wait
status_is 0
accounts
says 'samples would cost more than 2 % of a CPU'
done=$(($(cat "$work/alone") * 1000 / $(cat "$work/profiled")))
[ $done -ge 930 ] || blame "only $done of 1,000 parts of the work are done" "$work/err"
verdict "the target does $done of 1,000 parts of the work of one that is not profiled"
exit "$failed"
