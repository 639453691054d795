#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Runs in the guest: what jpbpf says of this kernel, and the tests.
#
#   guest_truth.sh PROGRAM...
#
# Leaves in /out: release, check, load (the profiler's --stats), loads (a line for each
# set of options: status and verified instructions), of each PROGRAM a folder with its
# log and status, and dmesg, what the kernel said.  PROGRAM is `options`, which loads
# with each of these sets; `calls`; one that tests/root/truth knows; tcl+helper or r+helper, a
# part of it with memory read by the kernel's helper; or a test in tests/root:
# test_NAME.
#
# What has been done is said on the way.  There are fewer samples a second than elsewhere,
# because programs run some 16 times slower here and a sample's cost grows with them:
# one of 500 frames takes 4 ms.
set -u
export SPARE=300 STORM=1
uname -r >/out/release
build/jpbpf check >/out/check 2>&1
echo "check $?" >/out/status
build/jpbpf --stats -v -d 0.2 -p $$ -o /out/folded >/out/load 2>&1
status=$?
echo "profile $status" >>/out/status
[ "$status" = 0 ] || exit 0

# What an option leaves out or brings in is another program to the verifier.
options() {
	for options in --lines --helper-reads --promises --expr --lexical -U -K \
		'--max-cost 100' \
		'-f pprof -e cpu-clock,page-faults' \
		'-f pprof -e cpu-clock,page-faults --helper-reads' \
		'--lines --promises --expr' \
		'--lines --promises --expr --helper-reads'; do
		# shellcheck disable=SC2086 # an option or nothing
		build/jpbpf --stats -v -d 0.1 -p $$ $options -o /out/folded \
			>/out/load.last 2>&1
		echo "$? $(sed -n 's/.*program on_sample: \([0-9]*\) .*/\1/p' \
			/out/load.last) $options" >>/out/loads
	done
	for options in '-d 1 tcl:*' '-d 1 -f log --args 3 --value tcl:*' \
		'-d 1 --stacks tcl:* r:* c:libc.so.6:getpid'; do
		# Status 1: nothing is called.
		set -f
		# shellcheck disable=SC2086 # options
		build/jpbpf trace --stats -v -p $$ $options >/out/load.last 2>&1
		status=$?
		set +f
		grep -q 'program on_call: [0-9]' /out/load.last || status=3
		[ $status != 1 ] || status=0
		echo "$status $(sed -n 's/.*program on_call: \([0-9]*\) .*/\1/p' \
			/out/load.last) trace $options" >>/out/loads
	done
}
# Programs that count themselves.
calls() {
	for seed in 1 2; do
		tests/root/counted 'tcl:*' $seed 300 tclsh8.6 tests/programs/calls.tcl
		tests/root/counted 'r:*' $seed 20 Rscript --vanilla tests/programs/calls.R
		tests/root/counted 'c:calls_native:*' $seed 60 build/tests/programs/calls_native
	done
}

# truth SECONDS HZ PROGRAM...
truth() {
	seconds=$1 hz=$2
	shift 2
	DURATION=$seconds FREQUENCY=$hz tests/root/truth "$@"
}
# The profiler is the one to begin.
export YIELD=1
# one PROGRAM: so long that all paths are taken, some 300.  One turn through all of R's takes
# some 30 s of its own.
one() {
	case $1 in
	options) options ;;
	calls) calls ;;
	test_*) "tests/root/$1.sh" ;;
	tcl) truth 12 499 tcl ;;
	tcl+helper) OPTIONS=--helper-reads truth 5 499 tcl procs c ;;
	r+helper) OPTIONS=--helper-reads truth 6 499 r default ;;
	r) TRUTH_MS=12 truth 60 199 r ;;
	rnames) truth 12 499 rnames ;;
	*) truth 6 999 "$1" ;;
	esac
}
for program; do
	mkdir -p "/out/$program"
	KEEP=/out/$program
	export KEEP
	one "$program" >"/out/$program/log" 2>&1
	echo "$?" >"/out/$program/status"
	echo "$program: $(cat "/out/$program/status"), $(cut -d . -f 1 /proc/uptime) s"
	# Profiles are large, and the way out is narrow.
	grep -A 8 '^not ok' "/out/$program/log" || rm -f "/out/$program/folded"
done
dmesg >/out/dmesg
