#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every sample taken is in the profile or under a reason, at every frequency.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript

limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
for what in tcl r; do
	start_$what
	for hz in 99 999 4999; do
		if [ $hz -gt "$limit" ]; then
			echo "skipped - $what at $hz Hz: the limit is $limit Hz"
			continue
		fi
		profile -p "$target" -F $hz -d 1
		status_is 0
		accounts "$work/out"
		shows ';work;spin(;| )'
		verdict "$what at $hz Hz: $taken taken = $kept kept + $lost lost"
	done
	stop "$target"
done
exit "$failed"
