#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf errors: who raises errors, how often, with which message and stack.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 perl

# raised LANGUAGE: each construct's count is exact.
raised() {
	"$here/raised" "$1" >"$work/raised" || failed=1
	cat "$work/raised"
}
raised tcl
! command -v Rscript >/dev/null || raised r

# errors_start OPTIONS...: until the probes are there; $profiler.
errors_start() {
	: >"$work/err"
	"$JPBPF" errors -v --max-cost 100 "$@" >"$work/out" 2>"$work/err" </dev/null 4>&- &
	profiler=$!
	started="$started $profiler"
	until_true 20 grep -q ' probe in ' "$work/err" || blame 'no probe' "$work/err"
}
# A program that raises an error for each byte that it reads.
cat >"$work/raise.tcl" <<'END'
proc bad {n} { error "not <b>good</b>; $n" }
proc work n { catch {bad $n} }
set n 0
while {[read stdin 1] ne ""} { work [incr n] }
after 100000
END
mkfifo "$work/in"
raise_start() {
	tclsh8.6 "$work/raise.tcl" <"$work/in" &
	target=$!
	started="$started $target"
	exec 4>"$work/in"
}
raise() {
	head -c "$1" /dev/zero >&4
}
# seen N: jpbpf has that many of them, after it was interrupted.
seen() {
	[ "$(grep -c . "$work/out")" -gt 0 ] || blame 'nothing was written' "$work/err"
	says "samples: $1 taken, $1 kept, 0 lost"
}

raise_start
errors_start -p "$target"
raise 200
sleep 1.2
raise 50
sleep 0.3
kill -INT "$profiler"
profile_wait
status_is 0
seen 250
grep -qE '^    250  [0-9:]{8}  [0-9:]{8}  tclsh8.6$' "$work/out" || blame 'count and times' "$work/out"
[ "$(sed -n 's/^    250  \(........\)  \(........\) .*/\1 \2/p' "$work/out" | tr ' ' '\n' | sort -u | wc -l)" = 2 ] ||
	blame 'first and last are one' "$work/out"
grep -qF '    ! [error: not <b>good</b>\x3b N]' "$work/out" || blame 'message' "$work/out"
grep '^    T ' "$work/out" | sed 's/^    T //' >"$work/frames"
printf 'bad\nwork\n' >"$work/want"
cmp -s "$work/frames" "$work/want" || grep -q 'source' "$work/frames" || blame 'stack' "$work/out"
verdict 'count, first, last, message, stack'

# Every byte of the probe's place is the file's again, whatever ends jpbpf.
place() {
	sed -n 's/.* probe in .* at 0x\([0-9a-f]*\)$/\1/p' "$work/err" | head -n 1
}
# bytes: the target's at the place.
library=$(realpath "$(awk '/libtcl8/ { print $NF; exit }' "/proc/$target/maps")")
errors_start -p "$target"
at=$(place)
probed=$(bytes "$library" "$at")
kill -KILL "$profiler"
until_true 5 gone "$profiler"
wait "$profiler" 2>/dev/null
after=$(bytes "$library" "$at")
case $probed in
cc*) ;;
*) blame "no breakpoint: $probed" ;;
esac
case $after in
cc* | '') blame "still there: $after" ;;
esac
raise 10
until_true 5 test "$(bytes "$library" "$at")" = "$after"
gone "$target" && blame 'the target has ended'
verdict "killed: the breakpoint is gone ($probed, $after)"

errors_start -p "$target" --first 7
raise 100
until_true 10 gone "$profiler" || blame 'does not end'
profile_wait
status_is 0
grep -q '^      7  ' "$work/out" || blame 'not 7' "$work/out"
verdict '--first 7'

errors_start -p "$target" --redact -f folded
raise 5
sleep 0.3
kill -INT "$profiler"
profile_wait
grep -q ';\[error\] 5$' "$work/out" || blame 'not redacted' "$work/out"
grep -q good "$work/out" && blame 'a message' "$work/out"
verdict '--redact leaves the messages out'

# A recording with time, too, and formats of it.
: >"$work/err"
"$JPBPF" record -v -e errors,cpu-clock --max-cost 100 -p "$target" -o "$work/run.jpb" 2>"$work/err" 4>&- &
profiler=$!
started="$started $profiler"
until_true 20 grep -q ' probe in ' "$work/err" || blame 'no probe' "$work/err"
raise 30
sleep 0.5
kill -INT "$profiler"
wait "$profiler" || blame 'record failed' "$work/err"
"$JPBPF" convert "$work/run.jpb" -f jsonl >"$work/out" 2>"$work/err" || blame 'jsonl' "$work/err"
[ "$(grep -c '"event":"errors".*not <b>good</b>\\\\x3b N' "$work/out")" = 30 ] || blame 'not 30 lines' "$work/out"
"$JPBPF" convert "$work/run.jpb" -e errors -f html >"$work/page" 2>"$work/err" || blame 'html' "$work/err"
grep -q '<b>good' "$work/page" && blame 'names as HTML'
"$JPBPF" report "$work/run.jpb" -e errors >"$work/out" 2>"$work/err" || blame 'report' "$work/err"
grep -q 'error: not' "$work/out" || blame 'report' "$work/out"
"$JPBPF" convert "$work/run.jpb" -e errors -f errors >"$work/out" 2>"$work/err"
grep -q '^     30  ' "$work/out" || blame 'errors' "$work/out"
verdict 'recorded beside time: jsonl, html, report, errors'

# The target ends, or begins another program.
errors_start -p "$target"
raise 12
sleep 0.3
exec 4>&-
kill "$target"
until_true 10 gone "$profiler" || blame 'does not end with its target'
profile_wait
status_is 0
seen 12
verdict 'the target ends: what was collected is written'
(read -r _ <"$work/in" && exec tclsh8.6 "$work/raise.tcl" </dev/zero) &
target=$!
started="$started $target"
exec 4>"$work/in"
: >"$work/err"
"$JPBPF" errors -v --first 500 -p "$target" >"$work/out" 2>"$work/err" 4>&- &
profiler=$!
started="$started $profiler"
until_true 20 grep -q 'direct map' "$work/err"
sleep 0.5
echo go >&4
exec 4>&-
until_true 20 gone "$profiler" || blame 'does not end' "$work/err"
profile_wait
status_is 0
grep -q 'not <b>good' "$work/out" || blame 'no errors of the new program' "$work/out"
verdict 'a program that is executed later has its probes'

# Exceptions of C++.
if [ -x "$PROGRAMS/throws" ]; then
	"$PROGRAMS/throws" <"$work/in" &
	target=$!
	started="$started $target"
	exec 4>"$work/in"
	errors_start -p "$target" --cxx -f folded
	exec 4>&-
	sleep 0.7
	kill -INT "$profiler"
	profile_wait
	for type in std::runtime_error 'own::Failure<int>' int; do
		grep -qF ";thrower;__cxa_throw;[$type] 100" "$work/out" || blame "no $type" "$work/out"
	done
	seen 300
	verdict 'C++: 300 exceptions of three types'
fi

# Tcl alone has no C++ runtime.
raise_start
errors_start -p "$target" --cxx
raise 3
sleep 0.3
kill -INT "$profiler"
profile_wait
status_is 0
seen 3
says 'no process maps a file that exports __cxa_throw()'
exec 4>&-
kill "$target"
verdict '--cxx without a C++ runtime is said'

"$JPBPF" errors -p 4194303 >"$work/out" 2>"$work/err"
status=$?
status_is 1
says 'there is no process 4194303'
verdict 'no such process'
exit $failed
