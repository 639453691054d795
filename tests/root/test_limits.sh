#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The limit of memory: what finds no room is counted and told with the option's name, and
# what is within the limit is profiled as ever.
# Runs beside others, long.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/hostile_maps"

# no_room: how many processes there was no room for.
no_room() {
	sed -n 's/^jpbpf: *\([0-9]*\)  processes: no room for so many (see --max-mem.*/\1/p' \
		"$work/err"
}

# ------------------------------------------------------------ what has gone

# A disk from which a program runs, and a program that is deleted; what is done with them
# in a minute and a half is looked at in the end.
disk=$work/disk
trap 'umount -l "$disk" 2>/dev/null; cleanup' EXIT
mkdir "$disk"
cp "$(command -v tclsh8.6)" "$work/deleted"
ldd "$work/deleted" | sed -n 's,.*=> \(.*libtcl[^ ]*\).*,\1,p' >"$work/library"
has_disk=yes
mount -t tmpfs none "$disk" 2>/dev/null || has_disk=
cp "$work/deleted" "$disk/program"
cp "$(cat "$work/library")" "$disk"
# shellcheck disable=SC2016 # of the inner shell
start sh -c 'until [ -e "$1/begin" ]; do sleep 0.05; done
	(sleep 2; touch "$1/first"; sleep 2; touch "$1/second") &
	LD_LIBRARY_PATH=$1/disk "$1/disk/program" "$1/busy.tcl" "$1/first"
	"$1/deleted" "$1/busy.tcl" "$1/second"
	rm "$1/deleted"
	touch "$1/gone"
	exec sleep 1000' sh "$work"
parent=$target
"$JPBPF" -p "$parent" --children -F 499 -U --stats >"$work/closed.out" 2>"$work/closed.err" &
closing=$!
started="$started $closing"
until_true 20 sampling "$closing" || blame 'does not begin' "$work/closed.err"
touch "$work/begin"

# held WHAT: does it have such files open?
held() {
	find "/proc/$closing/fd" -lname "$1" 2>/dev/null | grep -q .
}
# It is in epoll_wait() without a time limit.
# shellcheck disable=SC2317 # until_true calls it
has_nothing_to_do() {
	awk '$1 == 232 && $5 ~ /^0x(ffffffff)?ffffffff$/ { yes = 1 } END { exit !yes }' \
		"/proc/$closing/syscall"
}
until_true 30 test -e "$work/gone" || blame 'the programs do not end'
held "$disk/*" || blame "$disk was not looked at"
held '*(deleted)' || blame 'nothing deleted was looked at'
ended=$(date +%s)

# ------------------------------------------------------------ processes

# 32 MiB have room for 2,048 processes.  Those that run later have their turn when others
# have ended.
# shellcheck disable=SC2016 # of the inner shell
start sh -c 'trap "kill \$all; exit" TERM
	for i in $(seq 2100); do sleep 1000 & all="$all $!"; done
	touch "$1/all"; wait' sh "$work"
idle=$target
until_true 60 test -e "$work/all" || blame 'not all processes run'
start_tcl
profile_start -a --stats -F 199 --max-memory 32
run_on "$target" 100
kill "$idle"
wait "$idle" 2>/dev/null
sleep 5
run_on "$target" 50
profile_end INT
status_is 0
accounts
at_least 50 "$(no_room)" 'processes without room'
shows '^tclsh8.6;work;spin'
stop "$target"
verdict "room that becomes free is taken: $(no_room) had none, $taken taken = $kept kept + $lost lost"

# ------------------------------------------------------------ mappings

# 30,000 mappings take 940 KiB; there is no room for those of so many processes.
many=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
	start "$PROGRAMS/hostile_maps" many "$PROGRAMS/hostile_maps"
	until_true 60 grep -q ready "$work/target.out" || blame 'no mappings'
	# It would burn beside the others while they make their mappings.
	kill -STOP "$target"
	many="$many $target"
done
# shellcheck disable=SC2086 # a list
kill -CONT $many
profile -p "$(echo "${many# }" | tr ' ' ,)" -d 3 --max-memory 32
status_is 0
accounts
says 'no room for their mappings (see --max-memory)'
verdict "mappings without room: $taken taken = $kept kept + $lost lost"
# shellcheck disable=SC2086 # a list
stop $many

# ------------------------------------------------------------ profile

# Ever new names, thirty in a stack; each is in a few samples.
cat >"$work/names.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
for {set i 0} {1} {incr i} {
	set next {spin 10000}
	for {set k 0} {$k < 30} {incr k} {
		set name p${i}_${k}[string repeat x 200]
		proc $name {} $next
		set next $name
	}
	$name
	foreach name [info procs p*_*] {rename $name {}}
}
EOF
start tclsh8.6 "$work/names.tcl"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'
profile -p "$target" -d 12 -F 999 --stats --max-memory 32
stop "$target"
status_is 0
accounts
says '  stacks of samples: no room for so many (see --max-memory)'
says '  names: no room for so many (see --max-memory)'
shows '^tclsh8.6;\[cut: no room for so many stacks \(see --max-memory\)\] '
shows '^tclsh8.6;p[0-9]+_29x+;p[0-9]+_28x+;.*;spin'
kib=$(sed -n 's/^jpbpf: stats: .* profile \([0-9]*\) KiB/\1/p' "$work/err")
at_most $((17 * 1024)) "$kib" 'KiB of profile'
verdict "a full profile says so: $taken taken = $kept kept + $lost lost, $kib KiB"

# ------------------------------------------------------------ what has gone, now

# shellcheck disable=SC2317 # until_true calls it
let_go() {
	! held "$disk/*" && ! held '/[!m]*[!0-9] (deleted)'
}
left=$((ended + 90 - $(date +%s)))
until_true $((left > 1 ? left : 1)) let_go ||
	blame "open after 90 s: $(find "/proc/$closing/fd" -lname '*disk*' -o \
		-lname '*(deleted)' -printf '%l ')"
seconds=$(($(date +%s) - ended))
# Somebody else may profile here, too.
others=$(find /proc/[0-9]*/fd -lname "$disk/*" 2>/dev/null | head -n 1)
[ -z "$has_disk" ] || [ -n "$others" ] || umount "$disk" ||
	blame 'the disk cannot be unmounted'
until_true 20 has_nothing_to_do ||
	blame "waits with a limit: $(cat "/proc/$closing/syscall")"
kill -INT "$closing"
wait "$closing"
status=$?
status_is 0
accounts "$work/closed.out" "$work/closed.err"
[ "$lost" = 0 ] || blame "$lost samples lost" "$work/closed.err"
for name in program deleted; do
	shows "^$name;work;spin" "$work/closed.out"
	shows_no "^$name;.*(tcl8|libtcl|unknown)" "$work/closed.out"
done
closed=$(sed -nE 's/^jpbpf: stats: ([0-9]+) files closed.*/\1/p' "$work/closed.err")
at_least 3 "$closed" 'files closed'
verdict "what has gone is closed after $seconds s, $closed files, and named: $taken taken = $kept kept + $lost lost"
exit "$failed"
