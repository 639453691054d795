#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What is refused and what goes wrong: a clear message, the right status, and
# whatever was collected is written.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 setpriv unshare

# ------------------------------------------------------------ not permitted

# The scene's folder is root's alone; nobody needs a copy it can reach.
chmod 755 "$work"
install -m 755 "$JPBPF" "$work/jpbpf"
own=$JPBPF
JPBPF=$work/jpbpf
timeout 20 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
	--bounding-set=-all "$JPBPF" -d 1 >"$work/out" 2>"$work/err"
status=$?
status_is 3
says 'CAP_BPF'
says 'run as root'
verdict 'without privileges: status 3, what is missing, what to do'
JPBPF=$own

# Only /sys is made private: in a chroot / need not be a mount.
# shellcheck disable=SC2016 # $0 is of the inner shell
timeout 20 unshare -m --propagation unchanged sh -c \
	'mount --make-rprivate /sys && mount -t tmpfs none /sys/kernel/btf &&
	exec "$0" -d 1' "$JPBPF" \
	>"$work/out" 2>"$work/err"
status=$?
status_is 3
says '/sys/kernel/btf/vmlinux'
says 'CONFIG_DEBUG_INFO_BTF'
verdict 'kernel without BTF: status 3 and what it needs'

start sleep 60
profile -p "$target" -d 0.3
status_is 0
says 'no samples: the processes were on no CPU when a sample was due'
verdict 'a process that sleeps: why there is no sample'

# hidden WORDS ARGS...: /proc shows nothing, to root.
hidden() {
	words=$1
	shift
	timeout 20 "$@" >"$work/out" 2>"$work/err"
	status=$?
	status_is 3
	says "$words"
	says 'mount -t proc proc /proc'
	says_no CAP_
	says_no 'as root'
}
# shellcheck disable=SC2016 # $0 is of the inner shell
empty='mount --make-rprivate /proc && mount -t tmpfs none /proc && exec "$0" "$@"'
for arguments in "-d 1" "-p $target -d 1" "info $target"; do
	# shellcheck disable=SC2086 # are words
	hidden '/proc does not show this process' unshare -m --propagation unchanged \
		sh -c "$empty" "$JPBPF" $arguments
done
hidden '/proc is that of another pid namespace' unshare -p -f "$JPBPF" -d 1
hidden '/proc is that of another pid namespace' unshare -p -f "$JPBPF" info 1
verdict '/proc hidden from root: status 3, what it is, what to do'
stop "$target"

# ------------------------------------------------------------- wrong usage

# refused WHAT STATUS MESSAGE ARGS...
refused() {
	what=$1 wanted=$2 message=$3
	shift 3
	profile "$@"
	status_is "$wanted"
	says "$message"
	[ ! -s "$work/out" ] || blame "writes to standard output" "$work/out"
	verdict "$what: status $wanted and a message"
}
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
refused '-F 0' 2 'is not a frequency' -F 0
refused "-F above the kernel's limit" 2 "limit of $limit Hz" \
	-F $((limit + 1)) -d 1
refused '-p 1,,2' 2 'is not a list of ids' -p 1,,2
refused '-t 1,x' 2 'is not a list of ids' -t 1,x
refused '-C 0-' 2 'is not a list of CPUs' -C 0-
refused '-C 99999' 2 'is not a list of CPUs' -C 99999
refused '-U -K' 2 '-U and -K exclude each other' -U -K
refused '-e walltime' 2 'is not an event' -e walltime
pid=$(sh -c 'echo $$')
refused '-p of an ended process' 1 "there is no process $pid" -p "$pid" -d 1
refused '-t of an ended thread' 1 "there is no thread $pid" -t "$pid" -d 1
refused '-o FOLDER' 1 "cannot write to $work:" -o "$work" -d 1
refused '-o below a folder that is not there' 1 \
	'cannot write to /nonexistent/x:' -o /nonexistent/x -d 1

# ------------------------------------------------------ cannot be written

start_tcl "$work/never"
tcl=$target
profile -p "$tcl" -d 0.5 -o /dev/full
status_is 1
says 'cannot write the result to /dev/full: No space left on device'
read_summary "$work/err"
[ "$taken" -gt 0 ] || blame 'no samples' "$work/err"
verdict 'full disk: status 1, a message, the summary'

timeout 20 "$JPBPF" -p "$tcl" -d 0.5 >/dev/full 2>"$work/err"
status=$?
status_is 1
says 'cannot write the result to standard output: No space left on device'
verdict 'full standard output: status 1 and a message'

for reader in true 'head -c 0'; do
	{
		timeout 20 "$JPBPF" -p "$tcl" -d 0.5 2>"$work/err"
		echo $? >"$work/status"
	} | $reader
	until_true 20 test -s "$work/status"
	read -r status <"$work/status"
	status_is 1
	says 'cannot write the result to standard output: Broken pipe'
	verdict "closed pipe, | $reader: status 1 and a message"
done

timeout 20 "$JPBPF" -p "$tcl" -d 0.5 >&- 2>"$work/err"
status=$?
status_is 1
says 'cannot write the result to standard output: Bad file descriptor'
verdict 'standard output closed: status 1 and a message'

# Messages must not go where the next file opened is.
timeout 20 "$JPBPF" -p "$tcl" -d 0.5 -v -o "$work/folded" 2>&-
status=$?
status_is 0
! grep -av '^tclsh8.6;' "$work/folded" >"$work/bad" ||
	blame 'not only stacks in the file:' "$work/bad"
[ -s "$work/folded" ] || blame 'nothing in the file'
rm -f "$work/folded"
verdict 'standard error closed: the file holds the stacks alone'

# A limit on the size of files must not kill the profiler.
# shellcheck disable=SC2016 # $0 and $1 are of the inner shell
{
	sh -c 'ulimit -f 0; exec "$0" -p "$1" -d 0.5 -o "$2"' "$JPBPF" "$tcl" \
		"$work/folded" 2>&1
	echo "status $?"
} | cat >"$work/err"
says 'status 1'
says 'error: no more samples are kept, the run goes on: file too large (see ulimit -f)'
[ ! -s "$work/folded" ] || blame 'there is a result' "$work/folded"
verdict 'result larger than the limit for files: status 1 and a message'
exit "$failed"
