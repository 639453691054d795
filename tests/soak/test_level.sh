#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# An hour (SECONDS_ALL) of the whole host at 999 Hz.  A Tcl and an R run without an end;
# others begin and end beside them, and each round has a new program and a new library,
# under the names of those before, as where a program is built and run again and again.
# Nothing is lost.  After the first fifth of the time descriptors stay where they are:
# files are closed a minute after their last use, but only once the stacks in them have
# names, which may take five minutes (see modules_retire.c).  Memory stays, too, but for
# the profile: the kernel has new paths even after an hour, though ever fewer, so that the
# second half of the time brings at most half of them.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/root/scene.sh
. "$here/../root/scene.sh"
need "$JPBPF" tclsh8.6 Rscript "$PROGRAMS/first" "$PROGRAMS/first_late.so"
SECONDS_ALL=${SECONDS_ALL:-3600}

cat >"$work/short.tcl" <<'END'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
spin 100000
END
cat >"$work/short.R" <<'END'
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
spin(20000)
END
# churn: rounds of programs that begin and end, two at a time.
churn() {
	n=0
	while [ -e "$work/churns" ]; do
		n=$((n + 1))
		cp "$PROGRAMS/first" "$work/first"
		cp "$PROGRAMS/first_late.so" "$work/late.so"
		"$work/first" load "$work/late.so" 20 &
		tclsh8.6 "$work/short.tcl" &
		wait
		Rscript --vanilla "$work/short.R" >"$work/short.out" &
		"$PROGRAMS/first" storm 200 1 &
		wait
		rm "$work/first" "$work/late.so"
	done
	echo $n >"$work/rounds"
}
# state: KiB of memory in use and descriptors.
state() {
	awk '/^RssAnon:/ { print $2 }' "/proc/$profiler/status"
	find "/proc/$profiler/fd" -mindepth 1 2>/dev/null | wc -l
}

start_tcl
start_r
profile_start --stats -F 999 -d "$SECONDS_ALL"
: >"$work/churns"
churn &
churner=$!
memory_before=0 memory_after=0 open_before=0 open_after=0 samples=50
sleep $((SECONDS_ALL / 5))
for i in $(seq $samples); do
	# shellcheck disable=SC2046 # two numbers
	set -- $(state)
	if [ "$i" -le $((samples / 2)) ]; then
		[ "$1" -le "$memory_before" ] || memory_before=$1
		[ "$2" -le "$open_before" ] || open_before=$2
	else
		[ "$1" -le "$memory_after" ] || memory_after=$1
		[ "$2" -le "$open_after" ] || open_after=$2
	fi
	sleep $((SECONDS_ALL * 3 / 4 / samples))
done
rm "$work/churns"
wait "$churner"
until_true $((SECONDS_ALL / 10 + 30)) gone "$profiler"
wait "$profiler"
status=$?
status_is 0
accounts
[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
! grep -q 'were lost\|also lost' "$work/err" || blame 'notices were lost' "$work/err"
profile=$(sed -n 's/.*profile \([0-9]*\) KiB$/\1/p' "$work/err")
[ "$memory_after" -le $((memory_before + memory_before / 20 + profile / 2)) ] ||
	blame "memory grew from $memory_before to $memory_after KiB"
[ "$open_after" -le $((open_before + open_before / 20 + 2)) ] ||
	blame "$open_before files were open, then $open_after"
verdict "$SECONDS_ALL s, $(cat "$work/rounds") rounds: $memory_before KiB, then $memory_after KiB, $open_before and $open_after descriptors; $taken samples, $lost lost, profile $profile KiB"
exit "$failed"
