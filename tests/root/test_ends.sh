#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# How a profile ends: by a signal, without one, with its target.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript bpftool

start_tcl "$work/never"
tcl=$target
for signal in INT TERM HUP; do
	profile_start -p "$tcl" -F 999 -o "$work/folded"
	run_on "$tcl" 20
	profile_end $signal
	status_is 0
	accounts "$work/folded"
	shows ';work;spin(;| )' "$work/folded"
	rm -f "$work/folded"
	verdict "SIG$signal writes the result: $kept samples, status 0"
done

# As nohup starts it.
(
	trap '' HUP
	exec "$JPBPF" -p "$tcl" -F 999 >"$work/out" 2>"$work/err" </dev/null
) &
profiler=$!
started="$started $profiler"
until_true 20 sampling "$profiler" || blame 'does not begin' "$work/err"
kill -HUP "$profiler"
run_on "$tcl" 20
! gone "$profiler" || blame 'ended by SIGHUP' "$work/err"
profile_end INT
status_is 0
accounts
verdict "SIGHUP that was ignored stays so: $kept samples"

# Killed without mercy: nothing of it stays in the kernel.
profile_start -p "$tcl" -F 999
programs=$(sed -n 's/^prog_id:[^0-9]*//p' /proc/"$profiler"/fdinfo/* | sort -u)
links=$(sed -n 's/^link_id:[^0-9]*//p' /proc/"$profiler"/fdinfo/* | sort -u)
[ "$(echo "$programs" | wc -l)" -ge 4 ] || blame "programs: $programs"
[ "$(echo "$links" | wc -l)" -ge 4 ] || blame "links: $links"
left() {
	for id in $programs; do
		bpftool prog show id "$id" >/dev/null 2>&1 && return 1
	done
	for id in $links; do
		bpftool link show id "$id" >/dev/null 2>&1 && return 1
	done
	return 0
}
! left || blame 'programs and links cannot be seen'
kill -KILL "$profiler"
wait "$profiler" 2>/dev/null
until_true 20 left || blame "left behind: programs $programs, links $links"
run_on "$tcl" 20
verdict 'kill -9 leaves nothing in the kernel, the target runs on'
stop "$tcl"

# A reader that sleeps: the ring buffer fills up.  How long that takes depends on
# the machine; tried with more and more time.
hz=5000
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
[ $hz -le "$limit" ] || hz=$limit
start Rscript --vanilla "$sources/bench_r.R" 1000 400
deep=$target
until_true 30 has_mapped "$deep" libR.so || blame 'no R'
until_true 30 has_run "$deep" 60 || blame 'R does not run'
for seconds in 1 2 4; do
	profile_start -p "$deep" -F "$hz" --max-cost 100
	kill -STOP "$profiler"
	sleep $seconds
	kill -CONT "$profiler"
	profile_end INT
	! grep -q 'ring buffer full' "$work/err" || break
done
status_is 0
accounts "$work/out"
says 'ring buffer full'
shows ';down;down;.*;spin(;| )'
verdict "full ring buffer: $taken taken = $kept kept + $lost lost"
stop "$deep"

# --------------------------------------------------------- targets that end

start_tcl "$work/until"
profile_start -p "$target" -F 999
run_on "$target" 20
touch "$work/until"
profile_wait
status_is 0
accounts "$work/out"
shows 'tclsh8.6;work;spin(;| )'
shows_no '\[unknown\]'
verdict "process that ends half-way: the profile ends too, names are kept"
stop "$target"
rm "$work/until"

# A zombie has ended already: nothing will tell of it again.
cat >"$work/zombie.tcl" <<'EOF'
set f [open [lindex $argv 0].part w]
puts $f [exec sh -c {exit 0} <@stdin & ]
close $f
file rename [lindex $argv 0].part [lindex $argv 0]
vwait forever
EOF
start tclsh8.6 "$work/zombie.tcl" "$work/zombie"
until_true 20 test -s "$work/zombie" || blame 'no zombie' "$work/target.out"
read -r pid <"$work/zombie"
until_true 20 grep -q '^State:.Z' "/proc/$pid/status" || blame 'no zombie'
"$JPBPF" -p "$pid" >"$work/out" 2>"$work/err" &
profiler=$!
started="$started $profiler"
until_true 10 gone "$profiler" || blame 'waits for ever' "$work/err"
verdict '-p of a zombie does not wait for ever'
stop "$profiler" "$target"
exit "$failed"
