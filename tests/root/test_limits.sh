#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Each limit that there is an option for: reaching it is counted and told with the
# option's name, and what is within the limit is profiled as ever.
# Runs beside others, long.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 "$PROGRAMS/first" "$PROGRAMS/hostile_maps"

# of_process NAME: samples of it in the profile.
of_process() {
	awk -v like="^$1;" '$0 ~ like { n += $NF } END { print n + 0 }' "$work/out"
}

# no_room: how many processes there was no room for.
no_room() {
	sed -n 's/^jpbpf: *\([0-9]*\)  processes: no room for so many (see --max-proc.*/\1/p' \
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

# named NAME: busy in a program of that name; $target.
named() {
	[ -e "$work/$1" ] || cp "$(command -v tclsh8.6)" "$work/$1"
	start "$work/$1" "$work/busy.tcl"
	until_true 20 has_run "$target" 10 || blame "$1 does not run"
}
names='busy1 busy2 busy3 busy4 busy5'
pids='' list=''
for name in $names; do
	named "$name"
	pids="$pids $target"
	list="$list,$target"
done
profile -p "${list#,}" -d 2 --stats --max-processes 3
status_is 0
accounts
[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
says "no room for process $target (see --max-processes)"
[ "$(no_room)" = 2 ] || blame "$(no_room) processes without room" "$work/err"
for name in busy1 busy2 busy3; do
	at_least 5 "$(of_process "$name")" "samples of $name"
done
shows_no '^busy[45];'
shows '^busy3;work;spin'
verdict "three of five processes: $taken taken = $kept kept + $lost lost"

# The one that has room sleeps: that is no reason to say that none ran.
start sleep 60
profile -p "$target$list" -d 0.3 --max-processes 1
stop "$target"
status_is 0
says 'samples: 0 taken'
says 'no samples: there was no room for processes that ran'
verdict 'no samples because those that run have no room: it is said'

# Two of five, and when they end the others have their turn; it ends with the last.
profile_start -p "${list#,}" --stats -F 199 --max-processes 2
for pid in $pids; do
	sleep 2
	run_on "$pid" 10
	stop "$pid"
done
profile_wait
status_is 0
accounts
[ "$(no_room)" = 3 ] || blame "$(no_room) processes without room" "$work/err"
for name in $names; do
	at_least 5 "$(of_process "$name")" "samples of $name"
done
verdict "room that becomes free is taken: $taken taken = $kept kept + $lost lost"

# Children for which there is no room: the kernel side says so.
# shellcheck disable=SC2016 # of the inner shell
start sh -c 'while :; do "$0" burn 20 & "$0" burn 20; wait; done' "$PROGRAMS/first"
profile -p "$target" --children -d 3 -F 499 --stats --max-processes 1
stop "$target"
status_is 0
accounts
says 'processes: no room for so many (see --max-processes)'
at_least 10 "$(no_room)" 'births without room'
verdict "births without room: $taken taken = $kept kept + $lost lost"

# ------------------------------------------------------------ mappings

# 30,000 mappings take 940 KiB; a MiB has room for those of one such process.
"$PROGRAMS/hostile_maps" many "$PROGRAMS/hostile_maps" >"$work/first.out" &
started="$started $!"
list=$!
start "$PROGRAMS/hostile_maps" many "$PROGRAMS/hostile_maps"
until_true 60 grep -q ready "$work/target.out" || blame 'no mappings'
until_true 60 grep -q ready "$work/first.out" || blame 'no mappings'

profile -p "$list,$target" -d 3 --max-tables 1
status_is 0
accounts
says 'no room for their mappings (see --max-tables)'
verdict "mappings without room: $taken taken = $kept kept + $lost lost"
stop "$target" "$list"

# ------------------------------------------------------------ profile

# Ever new names, nine in a stack; each is in a few samples.
cat >"$work/names.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
for {set i 0} {1} {incr i} {
	set next {spin 50000}
	for {set k 0} {$k < 9} {incr k} {
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
profile -p "$target" -d 12 -F 999 --stats --max-profile 1
stop "$target"
status_is 0
accounts
says '  stacks of samples: no room for so many (see --max-profile)'
says '  names: no room for so many (see --max-profile)'
shows '^tclsh8.6;\[cut: no room for so many stacks \(see --max-profile\)\] '
shows '^tclsh8.6;p[0-9]+_8x+;p[0-9]+_7x+;.*;spin'
kib=$(sed -n 's/^jpbpf: stats: .* profile \([0-9]*\) KiB/\1/p' "$work/err")
at_most 2048 "$kib" 'KiB of profile'
verdict "a full profile says so: $taken taken = $kept kept + $lost lost, $kib KiB"

# ------------------------------------------------------------ what has gone, now

# shellcheck disable=SC2317 # until_true calls it
let_go() {
	! held "$disk/*" && ! held '*(deleted)'
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
