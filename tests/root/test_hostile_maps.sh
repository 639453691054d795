#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Targets whose mappings, files and names are traps: the profiler goes on, in
# bounded time and memory, and an honest target beside them loses nothing.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
hostile=$PROGRAMS/hostile_maps
need "$JPBPF" "$hostile" tclsh8.6 iconv

# stats NUMBER-OF: what --stats says of the agent, first sample in ms.
first_sample() {
	sed -n 's/.*first sample after \([0-9]*\).*/\1/p' "$work/err"
}
resident() {
	sed -n 's/.*agent resident \([0-9]*\) KiB.*/\1/p' "$work/err"
}
# lines_are_sound FILE: stack and count, text without controls.
lines_are_sound() {
	! LC_ALL=C grep -avE '^[^;]+(;[^;]+)* [0-9]+$' "$1" >"$work/bad" ||
		blame 'lines that are not stack and count:' "$work/bad"
	without_controls "$1"
}
without_controls() {
	! LC_ALL=C tr -d '\n' <"$1" | LC_ALL=C grep -aqP '[\x00-\x1f\x7f]' ||
		blame "control bytes in $(basename "$1")" "$1"
	! LC_ALL=C grep -aP '\xc2[\x80-\x9f]' "$1" >"$work/bad" ||
		blame "control characters in $(basename "$1"):" "$work/bad"
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>"$work/bad" ||
		blame "$(basename "$1") is not UTF-8:" "$work/bad"
}
# shellcheck disable=SC2317 # until_true calls it
is_ready() {
	grep -q ready "$work/target.out"
}
# start_hostile KIND [ARG]: runs, and has set its trap.
start_hostile() {
	start "$hostile" "$@"
	until_true 60 is_ready || blame "$1 does not begin" "$work/target.out"
	bad=$target
}

start_tcl
honest=$target
# Its loops, a C function below them, and the kernel.
honest_like='tclsh8\.6(;work(;spin)?)?(;(\[Tcl interpreter\]|[a-z_][^;[]*))?(;[^;]*_\[k\])* [0-9]+$'

# beside KIND [ARG...]: both are profiled; $kept, $bad_samples, $good_samples.
beside() {
	kind=$1
	start_hostile "$@"
	profile -p "$honest,$bad" -d 2 -F 499 --stats
	status_is 0
	kill -0 "$bad" 2>/dev/null || blame "$kind has ended" "$work/target.out"
	stop "$bad"
	accounts "$work/out"
	lines_are_sound "$work/out"
	without_controls "$work/err"
	good_samples=$(awk '/^tclsh8\.6;/ { s += $NF } END { print s + 0 }' \
		"$work/out")
	good_exact=$(grep -E "^$honest_like" "$work/out" |
		awk '{ s += $NF } END { print s + 0 }')
	bad_samples=$(awk '!/^tclsh8\.6;/ { s += $NF } END { print s + 0 }' \
		"$work/out")
	[ "$good_samples" -gt 0 ] || blame 'the honest target has no samples'
	[ "$bad_samples" -gt 0 ] || blame 'the hostile target has no samples'
	[ "$good_exact" = "$good_samples" ] ||
		blame "of $good_samples honest stacks $good_exact are right" \
			"$work/out"
	[ "$(resident)" -le 98304 ] || blame "resident: $(resident) KiB"
	[ "$(first_sample)" -le 10000 ] ||
		blame "first sample after $(first_sample) ms"
}
# whole REGEXP: every stack of the hostile target is like this.
whole() {
	right=$(grep -v '^tclsh8\.6;' "$work/out" | grep -E "$1" |
		awk '{ s += $NF } END { print s + 0 }')
	[ "$right" = "$bad_samples" ] ||
		blame "of $bad_samples hostile stacks $right are right" "$work/out"
}
measured() {
	echo "$good_exact/$good_samples and $right/$bad_samples stacks," \
		"first after $(first_sample) ms, $(resident) KiB"
}

beside many "$hostile"
whole '^hostile_maps;main;many;burn_on(;hostile_burn)?[; ]'
verdict "60,000 mappings: $(measured)"

beside huge "$work"
whole '^hostile_maps;main;huge;burn_on(;hostile_burn)?[; ]'
verdict "files of 64 GiB: $(measured)"

# The code that runs is another file's.
beside cut "$work"
whole '^hostile_maps;main;cut(;|$| )'
verdict "a mapped file that is cut short all the time: $(measured)"

beside swap "$work"
whole '^hostile_maps;main;swap;burn_on(;hostile_burn)?[; ]'
rm -rf "$work/pipe" "$work/zero" "$work/folder" "$work/other"
verdict "paths that name a pipe, a device, a folder: $(measured)"

# A hundred thousand mappings a second: where the kernel's records of them do not all get
# through, a stack says so; one of a hundred at most.
beside churn "$hostile"
marked=$(awk '/;\[cut: too many new mappings to know what was there at that time\]/ {
	s += $NF } END { print s + 0 }' "$work/out")
[ $((marked * 100)) -le "$bad_samples" ] || blame "$marked of $bad_samples are cut"
bad_samples=$((bad_samples - marked))
whole '^hostile_maps;main;churn(;|$| )'
verdict "mapping and unmapping all the time: $(measured)"

# 60,000 that change all the time: looking at them must leave time for others.
start_hostile restless "$hostile"
profile_start -p "$honest,$bad" -F 99 --stats
before=$(ticks "$profiler")
run_on "$bad" 200
used=$(($(ticks "$profiler") - before))
profile_end INT
status_is 0
accounts "$work/out"
stop "$bad"
[ $used -le 100 ] || blame "used $used ticks while the target ran for 200"
verdict "60,000 mappings that change all the time: $used ticks to its 200"

beside vdso "$hostile"
whole '^hostile_maps;main;vdso;burn_on(;hostile_burn)?[; ]'
verdict "a vDSO that was written to: $(measured)"

# One that is harmed and looked at first does not lend its vDSO to others.
start_hostile vdso
first=$bad
start_hostile time
profile -p "$first,$bad" -d 2 -F 499
stop "$first" "$bad"
status_is 0
accounts "$work/out"
shows_no '\[cut: '
inside=$(awk '/^hostile_maps;main;tell_time;.*(\[vdso\+|__vdso|clock_gettime)/ {
	s += $NF } END { print s + 0 }' "$work/out")
[ "$inside" -gt 0 ] || blame 'no samples in the vDSO' "$work/out"
verdict "a vDSO that was written to is nobody else's: $inside samples there"

beside name
whole '^\\x1b\[2J\\x0a\\x3ba b\\x9b\\x09\\x7f;main;name;burn_on(;hostile_burn)?[; ]'
verdict "a process named by escapes: $(measured)"

# A path is shown as a module where there is no symbol, and in messages.
name=$(printf 'a\033[2Jb\nc;d e\302\233f')
mkdir "$work/$name"
cp "$hostile" "$work/$name/$name"
strip "$work/$name/$name"
start "$work/$name/$name" vdso "$work/$name/$name"
until_true 20 is_ready || blame 'does not begin' "$work/target.out"
profile -p "$target" -d 1 -v --internals
status_is 0
accounts "$work/out"
lines_are_sound "$work/out"
without_controls "$work/err"
shows '\[a\\x1b\\x5b2Jb\\x0ac\\x3bd\\x20e\\xc2\\x9bf\+0x[0-9a-f]+\]'
for words in "info $target" "info --json $target"; do
	# shellcheck disable=SC2086 # two or three words
	profile $words
	[ "$status" = 0 ] || [ "$status" = 1 ] || blame "$words: status $status"
	without_controls "$work/out"
	without_controls "$work/err"
done
stop "$target"
profile info "$work/$name/$name"
without_controls "$work/out"
without_controls "$work/err"
profile info "$work/$name"
without_controls "$work/err"
verdict 'paths with escapes, line ends and separators are written as text'

# It executes itself 1,000 times; what /proc says of it is stale at once.
start "$hostile" exec 1000
profile_start -p "$target" -F 999 --stats
until_true 60 is_ready || blame 'does not come to its end' "$work/target.out"
profile_end INT
status_is 0
accounts "$work/out"
lines_are_sound "$work/out"
stop "$target"
verdict "executed 1,000 times while it is profiled: $kept samples accounted for"
exit "$failed"
