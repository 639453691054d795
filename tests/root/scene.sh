#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# shellcheck disable=SC2034,SC2119,SC2120
#
# What the tests of the running profiler stand on; sourced, not run.
#
# A test starts targets, profiles them, says what was wrong with blame(), and
# closes each thing tested with verdict().  All that was started is killed at the
# end, also after a failure.  Nothing waits for a time that is hoped to be enough:
# until_true() waits for a condition.
#
# Environment: JPBPF (build/jpbpf), JPBPF_TEST_DIR (build/tests).

set -u
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../programs
JPBPF=$(realpath "${JPBPF:-build/jpbpf}")
PROGRAMS=$(realpath -m "${JPBPF_TEST_DIR:-build/tests}/programs")
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C.UTF-8

work=$(mktemp -d) || exit 1
export TMPDIR="$work"	# what R leaves behind when it is killed
started=
failed=0
: >"$work/blame"

cleanup() {
	for p in $started; do
		kill -KILL "$p" 2>/dev/null
	done
	wait
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP

skip() {
	echo "skipped - $(basename "$0" .sh): $1"
	exit 0
}
# Commands or files without which nothing here can be tested.
need() {
	for thing; do
		command -v "$thing" >/dev/null 2>&1 || [ -e "$thing" ] ||
			skip "no $thing"
	done
}

# trace_start WORD...: jpbpf trace of $target, which reads lines from descriptor 4, until the
# probes are there.
trace_start() {
	: >"$work/err"
	"$JPBPF" trace -v -p "$target" "$@" >"$work/out" 2>"$work/err" </dev/null 4>&- &
	profiler=$!
	started="$started $profiler"
	until_true 20 grep -q '^jpbpf: tracing process' "$work/err" || blame 'no probes' "$work/err"
}

# bytes LIBRARY VADDR: eight of them, as $target has it.
bytes() {
	base=$(awk -v f="$1" '$NF == f { print $1; exit }' "/proc/$target/maps")
	perl -e 'open my $m, "<:raw", "/proc/$ARGV[0]/mem" or die;
		sysseek $m, hex($ARGV[1]) + hex($ARGV[2]), 0;
		sysread $m, my $b, 8; print unpack "H*", $b' \
		"$target" "${base%%-*}" "$2"
}

# blame TEXT [FILE]: why the thing being tested has failed; the file's start.
blame() {
	{
		echo "# $1"
		[ -z "${2:-}" ] || head -n 12 "$2" | cut -c 1-300 | sed 's/^/#   /'
	} >>"$work/blame"
}
verdict() {
	if [ -s "$work/blame" ]; then
		echo "not ok - $1"
		cat "$work/blame"
		: >"$work/blame"
		failed=1
	else
		echo "ok - $1"
	fi
}

# until_true SECONDS COMMAND...: false when it does not come true in that time.
until_true() {
	tries=$(($1 * 20))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}
gone() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null
}

# start COMMAND...: in the background; its pid in $target.
start() {
	# Now, not when the target begins: what the one before said is not its.
	: >"$work/target.out"
	"$@" >>"$work/target.out" 2>&1 </dev/null &
	target=$!
	started="$started $target"
}
stop() {
	for p; do
		kill -CONT "$p" 2>/dev/null
		kill -KILL "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
}
has_mapped() {
	grep -q "$2" "/proc/$1/maps" 2>/dev/null
}
# CPU time that a process has used, in clock ticks of 10 ms.
ticks() {
	sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ n = $12 + $13 }
		END { print n + 0 }'
}
has_run() {
	[ "$(ticks "$1")" -ge "$2" ]
}
# Wait until it has used some more.
run_on() {
	until_true 30 has_run "$1" $(($(ticks "$1") + $2)) ||
		blame "process $1 does not run on"
}

# profile ARGS...: runs to its end.  $status, $work/out, $work/err.
profile() {
	timeout -k 5 60 "$JPBPF" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}
# The same in the background, until it samples; $profiler.
profile_start() {
	"$JPBPF" "$@" >"$work/out" 2>"$work/err" </dev/null &
	profiler=$!
	started="$started $profiler"
	until_true 20 sampling "$profiler" ||
		blame "does not begin to sample: jpbpf $*" "$work/err"
}
# Three links follow processes, the others are one sampling event each: of every CPU.
# On a busy host a short run may be over when this is asked for the second time.
cpus=$(getconf _NPROCESSORS_ONLN)
sampling() {
	links "$1" $((3 + cpus)) || gone "$1"
}
links() {
	[ "$(find "/proc/$1/fd" -lname '*bpf*link*' 2>/dev/null | wc -l)" -ge "$2" ]
}
profile_wait() {
	if until_true 30 gone "$profiler"; then
		wait "$profiler"
		status=$?
	else
		blame "does not end" "$work/err"
		stop "$profiler"
		status=-1
	fi
}
profile_end() {
	kill -"$1" "$profiler"
	profile_wait
}

status_is() {
	[ "$status" = "$1" ] || blame "status $status, expected $1" "$work/err"
}
says() {
	grep -qF -e "$1" "${2:-$work/err}" ||
		blame "does not say '$1':" "${2:-$work/err}"
}
says_no() {
	! grep -F -e "$1" "$work/err" >"$work/unwanted" ||
		blame "says '$1':" "$work/unwanted"
}
# shows REGEXP [FILE]: some stack matches.
shows() {
	grep -qE -e "$1" "${2:-$work/out}" ||
		blame "no stack is like '$1':" "${2:-$work/out}"
}
shows_no() {
	! grep -E -e "$1" "${2:-$work/out}" >"$work/unwanted" ||
		blame "unwanted '$1':" "$work/unwanted"
}

# figure REGEXP: a number of what --stats prints, by what stands behind it.
figure() {
	sed -nE "s/^jpbpf: stats: (.*[^0-9])?([0-9]+) ${1}.*/\\2/p" "$work/err"
}
# only_memory: nothing is lost but for lack of memory; $used is what was in use, MiB.
only_memory() {
	for_memory=$(sed -n 's/^jpbpf: *\([0-9]*\)  no memory for more samples.*/\1/p' \
		"$work/err")
	[ "$lost" = "${for_memory:-0}" ] || blame "$lost samples lost" "$work/err"
	used=$(sed -n 's/^jpbpf: memory: at most \([0-9]*\) of .*/\1/p' "$work/err")
}
# at_least N FIGURE WHAT; at_most likewise.
at_least() {
	[ "${2:-0}" -ge "$1" ] || blame "$3: only ${2:-none}" "$work/err"
}
at_most() {
	[ "${2:-$(($1 + 1))}" -le "$1" ] || blame "$3: ${2:-unknown}" "$work/err"
}

# The closing summary: $taken, $kept, $lost; $reasons, the sum of what is listed.
read_summary() {
	# shellcheck disable=SC2046 # five numbers
	set -- $(awk '
		/^jpbpf: samples: / { t = $3; k = $5; l = $7; on = 1; next }
		on && /^jpbpf:    *[0-9]+  / { r += $2; next }
		{ on = 0 }
		END { print t + 0, k + 0, l + 0, r + 0 }' "${1:-$work/err}")
	taken=$1 kept=$2 lost=$3 reasons=$4
}
# accounts [FOLDED [SUMMARY]]: every sample is kept or under a reason, and of those that
# are kept it is said how their walks ended.
accounts() {
	read_summary "${2:-$work/err}"
	counted=$(awk '{ s += $NF } END { print s + 0 }' "${1:-$work/out}")
	[ "$taken" -gt 0 ] || blame "no samples" "${2:-$work/err}"
	[ "$taken" = $((kept + lost)) ] ||
		blame "$taken taken, but $kept kept and $lost lost"
	[ "$lost" = "$reasons" ] ||
		blame "$lost lost, but the reasons sum up to $reasons" \
			"${2:-$work/err}"
	weight=$(sed -n 's/.*: the kept stand for \([0-9]*\) .*/\1/p' \
		"${2:-$work/err}")
	[ "${weight:-$kept}" = "$counted" ] ||
		blame "${weight:-$kept} kept, but the stacks sum up to $counted"
	walks=$(sed -n 's/.*reached the root: [0-9]* of \([0-9]*\) .*/\1/p' \
		"${2:-$work/err}")
	[ "$kept" = "${walks:-0}" ] ||
		blame "$kept kept, but ${walks:-0} walks" "${2:-$work/err}"
	! grep -q unaccounted "${2:-$work/err}" ||
		blame "says unaccounted" "${2:-$work/err}"
}

# exactly TABLE [FOLDED]: every stack is what the table says; $exact is the figure.
exactly() {
	"$here/exact" "$1" "${2:-$work/out}" >"$work/exact" ||
		blame 'not exact' "$work/exact"
	exact=$(sed -n 's,^exact/total = ,,p' "$work/exact")
}
# host COMMAND...: start a program with an interpreter in it, which waits for a file $go.
hosts=
go=$work/go
host() {
	start "$@"
	hosts="${hosts:+$hosts,}$target"
}
# Let them go, and profile their first threads to their end.
profile_hosts() {
	profile_start -t "$hosts" -F 999 --max-cost 100 -U "$@"
	: >"$go"
	profile_wait
	status_is 0
	accounts
}
# begins NAME REGEXP: so does every stack of the processes of that name.
begins() {
	grep "^$1;" "$work/out" >"$work/host" || blame "no samples of $1"
	grep -vE "^$1;($2)" "$work/host" >"$work/others"
	shows_no . "$work/others"
}
# rows NAME: a table, from lines `leaf frame;...;frame` of what is expected outward of it;
# and the process's stacks are compared with it.
rows() {
	awk '{ leaf = "truth_leaf_" $1
		printf("%s\t%s;%s\t%s, %s\n", leaf, $2, leaf, name, $2) }' \
		name="$1" >"$work/table"
	grep "^$1;" "$work/out" >"$work/host"
	"$here/exact" "$work/table" "$work/host" >"$work/exact" || failed=1
	cat "$work/exact"
}
# source_line FILE NAME: "FILE:LINE" of the line that ends in the comment `// NAME`.
source_line() {
	echo "$1:$(grep -n "// $2\$" "$sources/$1" | cut -d: -f1)"
}
# truth_row NUMBER FRAME...: a row of a table: the outermost frames are left open.
truth_row() {
	number=truth_leaf_0$1
	shift
	printf '%s\t**;' "$number"
	printf '%s;' "$@"
	printf '%s\t%s\n' "$number" "$number"
}

# Samples a second, as many as the kernel allows: $hz.
fastest_hz() {
	hz=$1
	limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	if [ "$limit" -lt "$hz" ]; then
		echo "# the limit is $limit Hz"
		hz=$limit
	fi
}
# start_table COMMAND...: a truth program that writes $work/table when it is ready.
start_table() {
	rm -f "$work/table"
	start "$@"
	until_true 20 test -s "$work/table" || blame 'does not begin' \
		"$work/target.out"
}
# Profile it to its end at $hz.
profile_exact() {
	profile_start -p "$target" -F "$hz" -U --stats
	profile_wait
	accounts_exact
}
# accounts_exact [PROCESS [PERCENT]]: nothing is lost unsaid, and every sample in a leaf has the
# leaf's stack; all leaves have samples.  With PROCESS, which began under the profiler,
# only its stacks count, of which PERCENT (0) may be lost, and in a leaf none cut; and not those
# that were sampled before the interpreter was examined, which say so: they may not be
# more than were counted.  $figures says how many.
accounts_exact() {
	status_is 0
	accounts "$work/out"
	if [ $# -gt 0 ]; then
		[ $((lost * 100)) -le $((taken * ${2:-0})) ] ||
			blame "$lost samples lost" "$work/err"
		grep "^$1;" "$work/out" >"$work/whole"
		grep 'truth_leaf' "$work/whole" >"$work/leaf"
		shows_no '\[cut: ' "$work/leaf"
		early=$(awk '/^[^;]*;(\[[^;]*\];)*\[(tcl|r) frame\];/ { n += $NF } END { print n + 0 }' \
			"$work/whole")
		said=$(awk '/stats: (TCL|R)_NOT_READY / { n += $NF } END { print n + 0 }' \
			"$work/err")
		[ "$early" -le "$said" ] ||
			blame "$early samples without a frame, $said counted"
		all=$(awk '{ n += $NF } END { print n + 0 }' "$work/whole")
		grep -Ev '^[^;]*;(\[[^;]*\];)*\[(tcl|r) frame\];' "$work/whole" >"$work/out"
	fi
	"$here/exact" "$work/table" "$work/out" >"$work/exact" || {
		grep -v '^ok' "$work/exact" >"$work/wrong"
		blame 'wrong stacks:' "$work/wrong"
	}
	figures="exact/total = $(sed -n 's/^exact.total = //p' "$work/exact")"
	figures="$figures, $taken taken = $kept kept + $lost lost"
	[ $# = 0 ] || figures="$figures, $early of $all early"
}

# on_own_lines NAMES LEAST SHARE: a function that runs must be on a line of its own
# ($work/table: name, first line, last line), or on none; of LEAST samples or more,
# SHARE of them on one.  NAMES: a pattern; the innermost counts.
on_own_lines() {
	awk -v names="$1" -v least="$2" -v share="$3" '
	NR == FNR { first[$1] = $2; last[$1] = $3; next }
	{
		count = $0
		sub(/.* /, "", count)
		frame = ""
		rest = $0
		while (match(rest, ";(" names ")( \\([^;]*\\))?[; ]")) {
			frame = substr(rest, RSTART + 1, RLENGTH - 2)
			rest = substr(rest, RSTART + RLENGTH - 1)
		}
		if (frame == "")
			next
		name = frame
		sub(/ .*/, "", name)
		line = 0
		if (match(frame, /[:][0-9]+\)$/))
			line = substr(frame, RSTART + 1, RLENGTH - 2) + 0
		# The body is line 1 of a proc that was made at run time.
		if (frame ~ /\(proc:/)
			line += first[name] - 2
		taken[name] += count
		if (line == 0)
			none[name] += count
		else if (line < first[name] || line > last[name])
			wrong[name] += count
	}
	END {
		for (name in first) {
			good = taken[name] - wrong[name] - none[name]
			# Few samples may miss the share by chance: three
			# deviations.
			chance = 3 * sqrt(taken[name] * share * (1 - share))
			ok = taken[name] >= least && !wrong[name] &&
				good >= taken[name] * share - chance
			printf("%s - %s: %d of %d samples on its lines, %d on none\n",
				ok ? "ok" : "not ok", name, good, taken[name],
				none[name])
		}
	}' "$work/table" "$work/out" >"$work/lines"
	cat "$work/lines"
	! grep -q '^not ok' "$work/lines" || failed=1
}

# Two targets that use a CPU until they are stopped, or until the file named as
# second argument appears; then each goes on for a little while and ends.
cat >"$work/busy.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc work {} {spin 5000}
lassign $argv until
while {$until eq {} || ![file exists $until]} work
for {set n 0} {$n < 1500} {incr n} work
EOF
cat >"$work/busy.R" <<'EOF'
invisible(compiler::enableJIT(0))
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
work <- function() spin(2000)
until <- commandArgs(TRUE)
while (!length(until) || !file.exists(until)) work()
for (n in 1:1000) work()
EOF
start_tcl() {
	start tclsh8.6 "$work/busy.tcl" "$@"
	until_true 20 has_run "$target" 10 || blame "tclsh does not run"
}
start_r() {
	start Rscript --vanilla "$work/busy.R" "$@"
	until_true 30 has_mapped "$target" libR.so || blame "no R"
	until_true 30 has_run "$target" 40 || blame "R does not run"
}
