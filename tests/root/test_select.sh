#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Whom to profile, for how long: -p, -t, -C, -d, and two profilers at once.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 taskset "$PROGRAMS/truth_tcl.so" "$PROGRAMS/deep"

start_tcl "$work/never"
tcl=$target
before=$(date +%s%N)
profile -p "$tcl" -F 999 --max-cost 100 -d 0.5
ms=$((($(date +%s%N) - before) / 1000000))
status_is 0
accounts "$work/out"
[ $ms -ge 500 ] || blame "has taken $ms ms only"
# One task on one CPU: never more samples than the time has.
[ "$taken" -le 1000 ] || blame "$taken samples at 999 Hz in half a second"
verdict '-d 0.5 lasts half a second'

profile -q -p "$tcl" -F 999 --max-cost 100 -d 0.2 --stats
status_is 0
says 'jpbpf: stats: WALK_ROOT '
says_no 'jpbpf: samples:'
profile -q -p "$tcl" -F 999 --max-cost 100 -d 0.2
status_is 0
says_no jpbpf
verdict '-q: nothing but what --stats asks for'

# Two at once.
"$JPBPF" -p "$tcl" -F 999 -d 1 >"$work/out2" 2>"$work/err2" &
second=$!
started="$started $second"
profile -p "$tcl" -F 999 --max-cost 100 -d 1
status_is 0
accounts "$work/out" "$work/err"
kept1=$kept
wait "$second"
status=$?
[ $status = 0 ] || blame "status of the second: $status" "$work/err2"
accounts "$work/out2" "$work/err2"
if [ $((kept * 4)) -lt $((kept1 * 3)) ] || [ $((kept1 * 4)) -lt $((kept * 3)) ]
then
	blame "one has $kept1 samples, the other $kept"
fi
shows ';work;spin(;| )' "$work/out"
shows ';work;spin(;| )' "$work/out2"
verdict "two profilers on one process: $kept1 and $kept samples"
stop "$tcl"

start "$PROGRAMS/deep" 1000 "$work/table" 30
until_true 20 test -s "$work/table"
profile -p "$target" -F 999 --max-cost 100 -d 0.5 -U
status_is 0
accounts "$work/out"
[ "$(grep -c 'neither Tcl nor R: native stacks only' "$work/err")" = 1 ] ||
	blame 'not said once that it is neither Tcl nor R:' "$work/err"
shows '^deep;.*main;deep_small;deep_large;.*;truth_leaf_01 '
shows_no '\[cut'
verdict 'neither Tcl nor R: native stacks, one line says so'
stop "$target"

# A shell that has just begun is looked at, and what it forks then, and what that
# runs, is nobody's either.
cp "$(command -v dash)" "$work/stranger"
cp "$(realpath "$(command -v tclsh8.6)")" "$work/known"
cat >"$work/strange.sh" <<'EOF'
spin() { i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; }
for n in 1 2 3 4 5 6 7 8; do
	(spin; "$1" -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'; :)
	spin
done
echo 'for {set i 0} {$i < 1000000} {incr i} {}' | "$2"
EOF
for _ in 1 2 3; do
	profile_start -F 999 --max-cost 100
	"$work/stranger" "$work/strange.sh" "$work/stranger" "$work/known"
	kill -INT "$profiler"
	wait "$profiler"
	status=$?
	status_is 0
	accounts "$work/out"
	shows '^known;'
	shows_no '^stranger;'
done
verdict 'the whole host: Tcl and R, and nothing that others start'

if [ "$(nproc)" -gt 1 ]; then
	start taskset -c 1 tclsh8.6 "$work/busy.tcl"
	until_true 20 has_run "$target" 10 || blame "tclsh does not run"
	profile -p "$target" -F 999 --max-cost 100 -d 0.5 -C 0
	status_is 0
	read_summary "$work/err"
	[ "$taken" = 0 ] || blame "$taken samples on the other CPU"
	profile -p "$target" -F 999 --max-cost 100 -d 0.5 -C 1
	status_is 0
	accounts "$work/out"
	verdict '-C: only the CPUs that were given'
	stop "$target"
else
	echo "skipped - -C: one CPU only"
fi

if echo 'exit [catch {package require Thread}]' | tclsh8.6; then
	start tclsh8.6 "$sources/truth_threads.tcl" "$PROGRAMS/truth_tcl.so" \
		"$work/table.threads" 1000
	# shellcheck disable=SC2317 # called by until_true
	threads() {
		[ "$(find "/proc/$target/task" -mindepth 1 -maxdepth 1 | wc -l)" -ge 4 ]
	}
	until_true 20 threads || blame 'no threads' "$work/target.out"
	until_true 20 has_run "$target" 60 || blame 'threads do not run'
	all=
	for tid in $(cd "/proc/$target/task" && echo *); do
		profile -t "$tid" -F 999 --max-cost 100 -d 0.5 -U
		status_is 0
		read_summary "$work/err"
		leaves=$(grep -o 'truth_leaf_[0-9][0-9]' "$work/out" |
			sort -u | tr '\n' ' ')
		# The main thread has several; one of the event loop or the
		# notifier may not burn at all.
		case $tid:$leaves in
		"$target":*) all="$all$leaves" ;;
		*' '*' '*) blame "thread $tid shows $leaves" "$work/out" ;;
		*) all="$all$leaves" ;;
		esac
	done
	# shellcheck disable=SC2086 # words
	[ "$(printf '%s\n' $all | sort | uniq -d)" = '' ] ||
		blame "a leaf in two threads: $all"
	case $all in
	*truth_leaf_01*) ;;
	*) blame "no thread shows truth_leaf_01: $all" ;;
	esac
	verdict "-t: each thread alone: $all"
	stop "$target"
else
	echo "skipped - -t: no Tcl package Thread"
fi
exit "$failed"
