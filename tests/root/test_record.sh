#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Recordings of real programs: what is in them is true and as much as was sampled, however
# the recording ends; files rotate; a run is controlled while it goes on.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript "$PROGRAMS/deep" "$PROGRAMS/truth_r.so" setpriv
run=$work/run.jpb

# read_back ARGS...: the recording as folded stacks in $work/out; what is said, in
# $work/said.
read_back() {
	"$JPBPF" convert "$@" -f folded >"$work/out" 2>"$work/said" ||
		blame "cannot be read: $*" "$work/said"
}
says_nothing() {
	[ ! -s "$work/said" ] || blame 'says:' "$work/said"
}
total() {
	awk '{ n += $NF } END { print n + 0 }' "$work/out"
}
uptime_ms() {
	awk '{ print int($1 * 1000) }' /proc/uptime
}
# Milliseconds (CLOCK_MONOTONIC) of the last sample of a recording.
last_ms() {
	"$JPBPF" convert "$1" -f perf 2>/dev/null |
		sed -nE 's/^[^\t].* ([0-9]+)\.([0-9]{3})[0-9]*: .*/\1\2/p' | sort -n | tail -n 1
}

for what in rpromises lines; do
	RECORD=1 DURATION=2 SPARE=10 "$here/truth" $what >"$work/truth" 2>&1 ||
		blame 'not exact' "$work/truth"
	verdict "$what through a recording: $(grep '^exact/total' "$work/truth")"
done

start_r
r=$target
start_tcl
tcl=$target
start "$PROGRAMS/deep" 300 "$work/deep.table"
deep=$target
profile record -o "$run" -p "$tcl,$r" -d 2
status_is 0
[ "$(stat -c %a "$run")" = 600 ] || blame "the mode is $(stat -c %a "$run")"
read_back "$run"
says_nothing
accounts
shows '^tclsh8.6;work;spin;\[Tcl interpreter\] '
shows '^R;work;spin'
"$JPBPF" report "$run" --no-pager >"$work/report" || blame 'no report'
says 'work' "$work/report"
verdict "all that was sampled is in it: $taken taken, $kept kept, $lost lost, $(
	sed -n 's/^jpbpf: recording: //p' "$work/err")"

# The time of a second and a half is more than enough for names to follow.
profile_start record -o "$run" -p "$tcl,$deep" -F 999
until_true 10 test -s "$run" || blame 'nothing is written'
sleep "2.$(($$ % 9))"
killed=$(uptime_ms)
profile_end KILL
read_back "$run"
says 'ends in the middle' "$work/said"
shows '^tclsh8.6;work;spin;\[Tcl interpreter\] '
shows '^deep;main;'
shows_no '^deep;.*\[deep\+0x'
old=$((killed - $(last_ms "$run")))
at_most 1000 $old 'ms without samples before the end'
verdict "killed: $(total) samples are there with names, the last $old ms are not"

cp "$run" "$work/good"
profile record -o "$run" -p 4194304
status_is 1
cmp -s "$run" "$work/good" || blame 'the recording from before is not what it was'
verdict 'what does not begin leaves an earlier recording as it was'

profile record -o "$work/part.jpb" --rotate 1s -p "$tcl" -d 3.3
status_is 0
files=$(find "$work" -name 'part.*.jpb' | sort)
[ "$(echo "$files" | wc -l)" -ge 3 ] || blame "few files: $files"
for file in $files; do
	read_back "$file"
	says_nothing
done
# shellcheck disable=SC2086 # a list of files
read_back $files
says_nothing
accounts
first=$(echo "$files" | head -n 1)
[ "$first" = "$work/part.000001.jpb" ] || blame "the first is $first"
before=$(sha256sum "$first")
# In a folder of somebody else, whose name has to be quoted in patterns.
mkdir "$work/o[t]"
chown 65534:65534 "$work/o[t]"
chmod 755 "$work" "$work/o[t]"
cp "$first" "$work/o[t]/part.000041.jpb"
profile record -o "$work/o[t]/part.jpb" --rotate 2K --keep 2 -p "$tcl,$deep" -F 999 -d 2
status_is 0
says_no 'cannot'
left=$(find "$work/o[t]" -type f | sort | tr '\n' ' ')
[ "$(echo "$left" | wc -w)" = 2 ] || blame "kept: $left"
case $left in
*part.00004[3-9].jpb*) ;;
*) blame "they are $left" ;;
esac
[ "$before" = "$(sha256sum "$first")" ] || blame 'a file was written over'
verdict 'files rotate by time and size, each is whole, and the last ones are kept'

# Ends of the recording that are not the run's.
# holds N: so many samples are in it, and the others are lost.
holds() {
	read_summary
	[ "$taken" = $((kept + lost)) ] || blame "$taken taken, $kept kept, $lost lost" "$work/err"
	[ "$lost" = "$reasons" ] || blame "$lost lost, the reasons sum up to $reasons" "$work/err"
	[ "$1" = "$kept" ] || blame "$kept kept, but there are $1" "$work/err"
	says 'not written: the recording ended before'
}
perf_samples() {
	grep -cE '^[^	].* [0-9]+\.[0-9]+: ' "$1"
}
mkdir "$work/small"
mount -t tmpfs -o size=64k none "$work/small" || blame 'no tmpfs'
profile record -o "$work/small/run.jpb" -p "$tcl,$r,$deep" -F 3999 --max-cost 50 -d 1
status_is 1
says 'the recording ends here, the run goes on: No space left on device'
says 'samples: '
read_back "$work/small/run.jpb"
says 'ends in the middle' "$work/said"
shows '^(R|tclsh8\.6);work;spin'
"$JPBPF" convert "$work/small/run.jpb" -f perf >"$work/out" 2>"$work/said"
holds "$(perf_samples "$work/out")"
rm "$work/small/run.jpb"
TMPDIR=$work/small profile -p "$tcl,$r,$deep" -f perf -F 3999 --max-cost 50 -d 1
status_is 1
says 'no more samples are kept, the run goes on: No space left on device'
shows 'work'
holds "$(perf_samples "$work/out")"
umount "$work/small"
(
	ulimit -f 128
	profile record -o "$run" -p "$tcl,$r" -F 3999 --max-cost 50 -d 3
	status_is 1
	says 'see ulimit -f'
	says 'samples: '
)
read_back "$run"
shows '^tclsh8.6;work;spin'
profile record -o "$run" -p "$tcl,$r" -F 3999 --max-cost 50 -d 1 --max-size 8K
status_is 0
says 'it has the size of --max-size'
read_back "$run"
says_nothing
"$JPBPF" convert "$run" -f perf >"$work/perf"
holds "$(perf_samples "$work/perf")"
at_least 8192 "$(stat -c %s "$run")" bytes
at_most 200000 "$(stat -c %s "$run")" bytes
verdict 'a full disk, a limit and --max-size end the recording; it can be read'

"$JPBPF" record -p "$tcl" -d 1 2>"$work/err" | "$JPBPF" convert - -f folded >"$work/out" 2>"$work/said"
says_nothing
accounts
"$JPBPF" record -p "$tcl" -d 2 2>"$work/err" | head -c 600 >"$work/head"
says 'the recording ends here, the run goes on: Broken pipe'
says 'samples: '
read_back "$work/head"
says 'ends in the middle' "$work/said"
verdict 'a recording goes through a pipe, and may lose its reader'

profile_start record -o "$run" -p "$tcl" --control "$work/ctl" --delay 0.7
[ "$(stat -c %a:%F "$work/ctl")" = 600:fifo ] || blame "$(stat -c %a:%F "$work/ctl")"
run_on "$tcl" 100
for line in 'mark loading' . off . 'mark nothing' . on 'mark working; really' . snapshot 'mor'; do
	if [ "$line" = . ]; then
		run_on "$tcl" 40
	else
		echo "$line" >"$work/ctl"
	fi
done
until_true 5 grep -q "'mor'" "$work/err"
"$JPBPF" convert "$run" -f folded 2>/dev/null >"$work/out"
snapshot=$(total)
profile_end INT
status_is 0
says "--control: 'mor' is none of: on, off, mark TEXT, snapshot"
[ ! -e "$work/ctl" ] || blame 'the FIFO is left'
read_back "$run" --phase loading
loading=$(total)
read_back "$run" --phase 'working; really'
working=$(total)
read_back "$run" --phase nothing
[ "$(total)" -le 1 ] || blame "$(total) samples while it was off"
[ "$loading" -gt 5 ] || blame "$loading samples in the first phase"
[ "$working" -gt 5 ] || blame "$working samples in the last phase"
[ "$snapshot" -gt "$loading" ] || blame "$snapshot samples in the snapshot"
read_back "$run"
accounts
verdict "phases by a FIFO: $loading samples, off, $working samples"
stop "$tcl" "$r" "$deep"

cat >"$work/late.tcl" <<'END'
proc early until {while {[clock milliseconds] < $until} {}}
proc late until {while {[clock milliseconds] < $until} {}}
early [expr {[clock milliseconds] + 1500}]
late [expr {[clock milliseconds] + 1500}]
END
profile record -o "$run" --delay 1.8 -- tclsh8.6 "$work/late.tcl"
status_is 0
read_back "$run"
accounts
shows ';late'
shows_no ';early'
verdict 'sampling begins later, its command at once'
# ------------------------------------------------------------------ symbols

cat >"$work/plain.c" <<'END'
static volatile unsigned long x;
__attribute__((noinline)) static void inner_work(void)
{
	for (int i = 0; i < 1000000; i++)
		x += i;
}
__attribute__((noinline)) static void outer_work(void) { inner_work(); x++; }
int main(void) { for (;;) outer_work(); }
END
mkdir "$work/debug"
gcc -O1 -g -Wl,--build-id "$work/plain.c" -o "$work/plain"
objcopy --only-keep-debug "$work/plain" "$work/debug/any name"
strip "$work/plain"
profile record -o "$run" -d 1 -F 199 -- "$work/plain"
"$JPBPF" convert "$run" >"$work/out"
shows_no 'inner_work'
shows '^plain;main;\[plain\+0x[0-9a-f]+\];\[plain\+0x'
"$JPBPF" convert "$run" --symbols "$work/debug" >"$work/out" 2>"$work/err"
grep -qE '^jpbpf: ([2-9]|[1-9][0-9]+) of ' "$work/err" || blame 'too few are named' "$work/err"
shows '^plain;main;outer_work;inner_work '
shows_no '\[plain\+'
"$JPBPF" convert "$run" --symbols "$work/none" >"$work/out" 2>"$work/err"
says 'jpbpf: 0 of '
verdict 'functions get their names later, from files of the same build-id'

exit $failed
