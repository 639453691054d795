#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Without memory: allocations that fail, limits of address space and of files.  It never
# ends by a signal, and what was taken is in the profile or in a counter.
# Runs beside others.
#
#   STEPS (6): tries of each kind, spread over all allocations
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 prlimit nm "$PROGRAMS/no_memory.so" "$PROGRAMS/first"
STEPS=${STEPS:-6}

start_tcl
tcl=$target
# Programs that begin and end meanwhile.
# shellcheck disable=SC2016 # of the inner shell
start sh -c 'while :; do "$0" burn 20; done' "$PROGRAMS/first"

# try COMMAND...: with the rest of the arguments of a short profile; it ends by itself, with
# status 0 or 1, and accounts for its samples.
try() {
	rm -f "$work/folded"
	timeout -k 5 20 "$@" "$JPBPF" -a -F 499 -d 0.3 -o "$work/folded" \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
	tries=$((tries + 1))
	case $status in
	0 | 1) ;;
	*) blame "status $status: $*" "$work/err" ;;
	esac
	if grep -q '^jpbpf: samples: ' "$work/err"; then
		profiles=$((profiles + 1))
		accounts "$work/folded"
	elif [ "$status" = 0 ] || ! grep -q '^jpbpf: error: ' "$work/err"; then
		blame "neither a summary nor an error: $*" "$work/err"
	fi
}

# A library's macro that ends the program would do so without a message.
! nm -D -u "$JPBPF" | grep -qw exit || blame 'something calls exit()'
verdict 'no part ends the program without a message'

# ------------------------------------------------------- allocations that fail

tries=0 profiles=0
try env LD_PRELOAD="$PROGRAMS/no_memory.so" FAIL_TOLD="$work/calls"
read -r calls <"$work/calls"
at_least 2000 "$calls" allocations
for times in 1 0; do
	tries=0 profiles=0
	for step in $(seq "$STEPS"); do
		try env LD_PRELOAD="$PROGRAMS/no_memory.so" FAIL_TIMES=$times \
			FAIL_AT=$((calls * step / STEPS))
	done
	[ $times = 0 ] || at_least "$STEPS" "$profiles" profiles
	verdict "allocations that fail ($times): $tries tries of $calls calls, $profiles profiles"
done

# While machine code is decoded: a library that does not look must not go on.
tries=0 profiles=0
for step in $(seq 16); do
	try env LD_PRELOAD="$PROGRAMS/no_memory.so" FAIL_TIMES=0 \
		FAIL_AT=$((calls / 4 + calls * step / 100))
done
verdict "decoding: $tries tries"

# ------------------------------------------------------------ address space

tries=0 profiles=0
for mib in 18 40 64 96 128 512; do
	try prlimit --as=$((mib << 20))
	[ "$status" = 0 ] || says 'no memory'
done
[ "$status" = 0 ] || blame '512 MiB are not enough' "$work/err"
verdict "address space: $tries tries, $profiles profiles"

# --------------------------------------------------------------- files

# More stacks than fit into the file: what was there before stays.  The messages go to no
# file.
echo before >"$work/folded"
{
	timeout -k 5 20 prlimit --fsize=64 "$JPBPF" -a -F 499 -d 0.3 -o "$work/folded" \
		2>&1 </dev/null
	echo $? >"$work/status"
} | cat >"$work/err"
read -r status <"$work/status"
status_is 1
says 'file too large'
says 'ulimit -f'
[ "$(cat "$work/folded")" = before ] || blame 'the file was written over' "$work/folded"
[ "$(find "$work" -name 'folded*' | wc -l)" = 1 ] || blame 'something else is left'
verdict 'a limit on the size of files: said, and the earlier file stays'

# ------------------------------------------------------- the option

stop "$target"
# shellcheck disable=SC2016 # of the inner shell
start sh -c 'while :; do "$0" burn 20 & tclsh8.6 </dev/null; wait; done' "$PROGRAMS/first"
profile -a -F 999 -d 4 --max-memory 32
status_is 0
accounts
used=$(sed -n 's/^jpbpf: memory: at most \([0-9]*\) of 32 MiB: .*/\1/p' "$work/err")
at_most 32 "$used" MiB
shows '^tclsh8.6;work;spin'
verdict "--max-memory 32 with churn: $used MiB, $taken taken = $kept kept + $lost lost"
stop "$tcl" "$target"
exit "$failed"
