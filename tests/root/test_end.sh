#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The end that -d asks for is the end, whatever the profiler is doing then and however much
# was sampled.
# shellcheck source=tests/root/scene.sh disable=SC2046 # two numbers
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript

now() {
	date +%s%3N
}
# Milliseconds that the profiler's session has waited for a CPU: on a busy machine most of
# the time, which is not its own.
wait_time=0
waited() {
	set -- $(cat "/proc/$profiler/schedstat" 2>/dev/null)
	[ $# -lt 2 ] || wait_time=$(($2 / 1000000))
}

# Stopped when the time is over: no sample is taken after it.
start_tcl
profile_start -p "$target" -F 999 -d 1
kill -STOP "$profiler"
run_on "$target" 200
kill -CONT "$profiler"
profile_wait
status_is 0
accounts
at_most 1020 "$counted" 'samples of one second at 999 Hz'
verdict "a profiler that is stopped beyond the end: $taken samples of its second"
stop "$target"

# Everything at the highest frequency, beside deep stacks and short processes.
hz=100000
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
[ $hz -le "$limit" ] || hz=$limit
start Rscript --vanilla "$sources/bench_r.R" 1000 100
deep=$target
until_true 30 has_run "$deep" 60 || blame 'R does not run'
# shellcheck disable=SC2016 # for the shell that is started
start sh -c 'while :; do tclsh8.6 "$0"; /bin/true; done' /dev/null
short=$target
for set in "-F $hz -d 3" '-F 999 -d 3'; do
	# shellcheck disable=SC2086 # options
	profile_start -a $set --stats
	begin=$(now)
	waited
	before=$wait_time
	until gone "$profiler" || [ $(($(now) - begin)) -gt 60000 ]; do
		waited
		sleep 0.1
	done
	took=$(($(now) - begin - (wait_time - before)))
	profile_wait
	status_is 0
	accounts
	# 3 s, and 5 s for the samples that wait; the rest is for names.
	at_most 10000 $took 'ms until the end'
	verdict "$set: ends after $took ms, $taken samples, $lost lost"
done
stop "$short" "$deep"
exit "$failed"
