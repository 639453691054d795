#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Births by the ten thousand: 1,000 forks and execs a second for SECONDS_EACH (30), then
# short tclsh for as long, then BIRTHS (100,000; a million take a quarter of an hour)
# as cheap ones as can be.  Nothing may be lost unsaid, nothing may stay, and the agent
# may not grow.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/root/scene.sh
. "$here/../root/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/first" "$PROGRAMS/births"
first=$PROGRAMS/first
SECONDS_EACH=${SECONDS_EACH:-30}
BIRTHS=${BIRTHS:-100000}
# KiB: stacks that are seen for the first time, until they are given names.
GROWTH=2048
MOST=24576

resident() {
	awk '/^RssAnon:/ { print $2 }' "/proc/$profiler/status"
}
descriptors() {
	find "/proc/$profiler/fd" -mindepth 1 2>/dev/null | wc -l
}
# watch KIB: the agent's memory after a tenth of the time, and shortly before the end: at
# the end it names what it has seen.  Its open files are as many as before.
watch() {
	sleep $((SECONDS_EACH / 10 + 1))
	before=$(resident) open=$(descriptors)
	after=$before open_after=$open
	now=$before open_now=$open
	until gone "$target"; do
		after=$now open_after=$open_now
		now=$(resident) open_now=$(descriptors)
		sleep 0.5
	done
	[ "$after" -le $((before + $1)) ] ||
		blame "the agent grew from $before to $after KiB"
	[ "$open_after" -le $((open + 2)) ] ||
		blame "$open files were open, then $open_after"
}
nothing_left() {
	profile_end INT
	status_is 0
	accounts "$work/out"
	[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
	! grep -q 'were lost\|also lost' "$work/err" ||
		blame 'notices were lost' "$work/err"
	[ "$(figure 'samples wait')" = 0 ] || blame 'samples wait' "$work/err"
	[ "$(figure "in the kernel's table")" -le 2 ] ||
		blame "$(figure "in the kernel's table") entries left" "$work/err"
	[ "$(figure 'processes known')" -le 2 ] ||
		blame "$(figure 'processes known') still known" "$work/err"
}

# storm KIB COMMAND...: a parent that is listed, so that nothing but its children is
# profiled.
storm() {
	kib=$1
	shift
	touch "$work/wait"
	# shellcheck disable=SC2016 # of the inner shell
	start sh -c 'while [ -e "$1" ]; do sleep 0.1; done; shift; exec "$@"' \
		sh "$work/wait" "$@"
	profile_start --stats -F 999 --children -p "$target"
	rm "$work/wait"
	watch "$kib"
	nothing_left
}

storm $GROWTH "$first" storm 1000 "$SECONDS_EACH"
verdict "$((SECONDS_EACH * 1000)) forks and execs: $before KiB, then $after KiB; $kept samples"

cat >"$work/short.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
spin 20000
EOF
storm $GROWTH "$first" times $((SECONDS_EACH * 60)) tclsh8.6 "$work/short.tcl"
verdict "$((SECONDS_EACH * 60)) tclsh: $before KiB, then $after KiB; $kept samples"

storm $MOST "$PROGRAMS/births" "$BIRTHS" 1200
seen=$(sed -n 's/^jpbpf: processes: \([0-9]*\),.*/\1/p' "$work/err")
at_least "$BIRTHS" "$seen" processes
verdict "$BIRTHS births: $before KiB, then $after KiB; $open_after files open; $taken samples taken = $kept kept + $lost lost"
exit "$failed"
