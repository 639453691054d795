#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Births by the ten thousand: 1,000 forks and execs a second for SECONDS (30), then
# short tclsh for as long.  Nothing may be lost unsaid, nothing may stay, and the
# agent may not grow.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/root/scene.sh
. "$here/../root/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/first"
first=$PROGRAMS/first
SECONDS_EACH=${SECONDS_EACH:-30}
GROWTH=2048	# KiB: stacks that are seen for the first time

resident() {
	awk '/^RssAnon:/ { print $2 }' "/proc/$profiler/status"
}
# The agent's memory after a tenth of the time, and shortly before the end: at the
# end it names what it has seen.
watch() {
	sleep $((SECONDS_EACH / 10 + 1))
	before=$(resident)
	after=$before
	now=$before
	until gone "$target"; do
		after=$now
		now=$(resident)
		sleep 0.5
	done
	[ "$after" -le $((before + GROWTH)) ] ||
		blame "the agent grew from $before to $after KiB"
}
nothing_left() {
	profile_end INT
	status_is 0
	accounts "$work/out"
	[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
	! grep -q 'were lost\|also lost' "$work/err" ||
		blame 'notices were lost' "$work/err"
	[ "$(stat 'samples wait')" = 0 ] || blame 'samples wait' "$work/err"
	[ "$(stat "in the kernel's table")" -le 2 ] ||
		blame "$(stat "in the kernel's table") entries left" "$work/err"
	[ "$(stat 'processes known')" -le 2 ] ||
		blame "$(stat 'processes known') still known" "$work/err"
}

# A parent that is listed, so that nothing but its children is profiled.
storm() {
	touch "$work/wait"
	# shellcheck disable=SC2016 # of the inner shell
	start sh -c 'while [ -e "$1" ]; do sleep 0.1; done; shift; exec "$@"' \
		sh "$work/wait" "$@"
	profile_start --stats -F 999 -p "$target"
	rm "$work/wait"
	watch
	nothing_left
}

storm "$first" storm 1000 "$SECONDS_EACH"
verdict "$((SECONDS_EACH * 1000)) forks and execs: $before KiB, then $after KiB; $kept samples"

cat >"$work/short.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
spin 20000
EOF
storm "$first" times $((SECONDS_EACH * 60)) tclsh8.6 "$work/short.tcl"
verdict "$((SECONDS_EACH * 60)) tclsh: $before KiB, then $after KiB; $kept samples"
exit "$failed"
