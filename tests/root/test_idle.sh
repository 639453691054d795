#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Left running where nothing happens it does not wake up, and yet ends at once; what is
# none of its business is not looked at.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6

# It is in epoll_wait(), whose fourth argument is the time limit: none.
# shellcheck disable=SC2317 # until_true calls it
waits_without_limit() {
	awk '$1 == 232 && $5 ~ /^0x(ffffffff)?ffffffff$/ { yes = 1 } END { exit !yes }' \
		/proc/"$profiler"/syscall
}

start tclsh8.6 "$sources/bench_idle.tcl"
idle=$target
until_true 20 has_mapped "$idle" libtcl || blame 'no Tcl'
profile_start -p "$idle" -o "$work/folded"
until_true 20 waits_without_limit ||
	blame "waits with a limit: $(cat /proc/"$profiler"/syscall)"
verdict 'with an idle target nothing wakes it'

before=$(date +%s%N)
profile_end INT
ms=$((($(date +%s%N) - before) / 1000000))
status_is 0
[ $ms -lt 3000 ] || blame "ended $ms ms after the signal"
verdict 'a signal ends the wait'

profile_start -p "$idle" -o "$work/folded"
stop "$idle"
profile_wait
status_is 0
verdict 'the end of the target ends the wait'

before=$(date +%s%N)
"$JPBPF" -o "$work/folded" -- tclsh8.6 -encoding utf-8 /dev/null >"$work/out" 2>"$work/err"
status=$?
ms=$((($(date +%s%N) - before) / 1000000))
status_is 0
[ $ms -lt 10000 ] || blame "ended after $ms ms" "$work/err"
verdict 'the end of the command ends the wait'

# looks COMMAND...: how often the profiler of the whole host reads what a process maps.
looks() {
	profile_start -F 99 --stats
	"$@"
	kill -INT "$profiler"
	wait "$profiler"
	status=$?
	status_is 0
	looked=$(figure 'looks')
}
# Each maps a libc that the profiler knows by then.
cat >"$work/short.sh" <<'EOF'
for _ in 1 2 3 4 5 6; do
	for _ in 1 2 3 4 5 6 7 8 9 10; do "$1" 0; "$1" 0; "$1" 0; "$1" 0; "$1" 0; done
done
EOF
looks sleep 1
before=$looked
looks sh "$work/short.sh" "$(command -v sleep)"
at_most 75 $((looked - before)) "looks at 300 strangers"
verdict 'the whole host: strangers that map nothing of ours are not looked at'
exit $failed
