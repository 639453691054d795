#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What the profiler may still do once it samples, and that it is enough.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript setpriv "$PROGRAMS/truth_tcl.so"
chmod 755 "$work"

# field NAME FOLDER: of a process or thread.
field() {
	sed -n "s/^$1:[[:space:]]*//p" "$2/status"
}
# has_caps PID NUMBER...: each thread these and no others, but the reader none; and none
# to be gained.
has_caps() {
	pid=$1
	shift
	set=0
	for number; do
		set=$((set | 1 << number))
	done
	set=$(printf '%016x' $set)
	readers=0
	# All but those that make tables and have ended meanwhile.
	for thread in "/proc/$pid/task/"*; do
		grep -q . "$thread/status" 2>/dev/null || continue
		expected=$set
		if [ "$(field CapEff "$thread")" = 0000000000000000 ]; then
			expected=0000000000000000
			readers=$((readers + 1))
		fi
		for name in CapEff CapPrm; do
			[ "$(field $name "$thread")" = "$expected" ] ||
				blame "$thread: $name is $(field $name "$thread"), expected $expected"
		done
		for name in CapInh CapAmb; do
			[ "$(field $name "$thread")" = 0000000000000000 ] ||
				blame "$thread: $name is $(field $name "$thread")"
		done
		[ "$(field NoNewPrivs "$thread")" = 1 ] ||
			blame "$thread: NoNewPrivs is not 1"
	done
	[ $readers = 1 ] || blame "$readers threads without any, not one"
}
# shellcheck disable=SC2317 # until_true calls it
dropped() {
	[ "$(field NoNewPrivs "/proc/$1")" = 1 ] &&
		[ "$(find "/proc/$1/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 1 ]
}
# The files that follow are nobody's own, and unreadable for root without the
# capability to read all.
private=$work/private
mkdir "$private"
cp "$(command -v tclsh8.6)" "$private/tclsh_private"
cp "$PROGRAMS/truth_tcl.so" "$private/late.so"
cat >"$private/late.tcl" <<'END'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc before {} {spin 5000}
proc after_load {} {spin 5000}
lassign $argv so until
for {set n 0} {$n < 5000} {incr n} before
load $so Truth
file delete $so [info nameofexecutable]
while {![file exists $until]} after_load
END
chown -R 65534:65534 "$private"
chmod -R go-rwx "$private"

profile_start -F 99 -o "$private/out.folded" --stats
until_true 20 dropped "$profiler" || blame 'does not drop its privileges'
has_caps "$profiler" 39 34 19 2 40
verdict 'whole host: what is kept is BPF, SYSLOG, SYS_PTRACE, DAC_READ_SEARCH, CHECKPOINT_RESTORE; by the reader nothing'

start setpriv --reuid=65534 --regid=65534 --clear-groups \
	"$private/tclsh_private" "$private/late.tcl" "$private/late.so" \
	"$work/until"
late=$target
until_true 30 has_mapped "$late" 'late.so (deleted)' ||
	blame 'the private one does not load its library' "$work/target.out"
start_r
run_on "$late" 100
run_on "$target" 100
touch "$work/until"
profile_end INT
status_is 0
out=$private/out.folded
accounts "$out"
shows '^tclsh_private;before;spin' "$out"
shows '^tclsh_private;after_load;spin' "$out"
shows_no '^tclsh_private;.*\[cut:' "$out"
shows '^R;work;spin' "$out"
shows '_\[k\]' "$out"
[ "$(stat -c %u "$out")" = 0 ] || blame "the result belongs to another"
tables=$(sed -n 's/.*tables \([0-9]*\) KiB.*/\1/p' "$work/err")
[ "${tables:-0}" -gt 1024 ] || blame "tables of $tables KiB only" "$work/err"
verdict "new processes of others, libraries, deleted files, tables: $kept samples"

profile_start -U -d 60 -- sh -c 'while :; do :; done'
until_true 20 dropped "$profiler" || blame 'does not drop its privileges'
has_caps "$profiler" 39 34 19 2 40 5
profile_end INT
verdict 'with a command: KILL too'

# The command's output goes to ours.
# shellcheck disable=SC2016 # for the inner shell
profile -o "$work/folded" -- sh -c 'cat /proc/$$/status'
status_is 0
for name in CapEff CapPrm CapBnd NoNewPrivs; do
	got=$(sed -n "s/^$name:[[:space:]]*//p" "$work/out")
	[ "$got" = "$(field $name /proc/$$)" ] ||
		blame "$name of the command is $got, not $(field $name /proc/$$)"
done
verdict 'a command has the privileges of the caller'
profile -o "$work/folded" -- grep '^Max open files' /proc/self/limits
status_is 0
grep '^Max open files' /proc/self/limits | cmp -s - "$work/out" ||
	blame "not the caller's limit:" "$work/out"
verdict 'a command may have as many open files as the caller'

cat >"$work/busy2.tcl" <<'END'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
set out [open [lindex $argv 0] w]
puts $out [pid]
close $out
while 1 {spin 1000}
END
: >"$work/pid"
chmod 666 "$work/pid"
profile -d 2 -o "$work/folded" -- setpriv --reuid=65534 --clear-groups \
	tclsh8.6 "$work/busy2.tcl" "$work/pid"
status_is 0
shows '^tclsh8.6;spin' "$work/folded"
gone "$(cat "$work/pid")" || blame 'the command has outlived the profile'
says 'the command still runs: asked to end'
verdict 'a command that runs as another user is ended'

profile check
says 'CAP_CHECKPOINT_RESTORE' "$work/out"
says 'kept while sampling: CAP_BPF CAP_SYSLOG CAP_SYS_PTRACE' "$work/out"
# few ARGS...: with some capabilities and open files only.
few() {
	sh -c 'ulimit -n 3000; exec "$@"' sh timeout 20 setpriv \
		--bounding-set=-all,+bpf,+perfmon,+syslog,+sys_ptrace,+dac_read_search \
		"$JPBPF" "$@" >"$work/out" 2>"$work/err"
}
few check
says 'missing: CAP_CHECKPOINT_RESTORE' "$work/out"
says 'deleted' "$work/out"
verdict 'check names what is needed, and what is kept'

says 'note open files      up to 2250 of targets' "$work/out"
few -d 0.1 -o "$work/folded"
says 'only 2250 files of targets can be open'
few -d 0.1 -o "$work/folded" --max-memory 32
says_no 'files of targets'
verdict 'check knows how many files a profile can have open'
exit "$failed"
