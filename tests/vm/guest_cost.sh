#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Runs in the guest, which counts instructions: what a sample costs in the kernel.
#
# Each program stays in one place under a stack of fixed depth, and then under one twice
# as deep, which tells what a frame costs: 190 native frames; 12 Tcl procs; 30 R
# closures, which are some 250 native frames.  It is profiled twice, briefly and
# longer: what is cold at first is in both, so the difference of the times by that of
# the samples is the cost of one when all is warm.
# /out/cost gets a line for each: name, depth, that cost in instructions, native and
# interpreter frames of a sample; and the verified instructions.
#
# Then it is profiled once more, at the lesser depth, and QEMU's plugin logs the cache
# lines of some samples.  /out/asked gets what tells them apart (lines.pl), for each
# scene behind a line `scene NAME`; /out/kernel has the kernel's functions.
#
# An instruction takes a nanosecond, but the kernel finds out itself how fast its clock
# is, to one in a million; that is taken out again.
set -u
export LC_ALL=C
programs=tests/programs
built=build/tests/programs
ready=/tmp/ready

# profile NAME SECONDS OPTION...
profile() {
	# shellcheck disable=SC2086 # an option or nothing
	build/jpbpf --stats --max-cost 100 -U -F 999 -d "$2" -p $target $3 \
		-o "/out/$1.$2.folded" >"/out/$1.$2" 2>&1
}
# scene NAME DEPTH OPTION
scene() {
	file=$1$3.$2
	profile "$file" 0.1 "$3"
	profile "$file" 0.4 "$3"
	awk -v name="$1$3 $2" -v mhz="$mhz" '
	/ ns in .* walks/ { ns = $3 - ns; walks = $6 - walks }
	/ native and .* interpreter frames/ {
		native = $3 - native; interpreter = $6 - interpreter
	}
	/ program on_sample: / { verified = $5 }
	END {
		walks += !walks
		printf("%s %.1f %.2f %.2f %d\n", name, ns / walks * mhz / 1000,
			native / walks, interpreter / walks, verified)
	}' "/out/$file.0.1" "/out/$file.0.4" | tee -a /out/cost
}
# lines NAME OPTION
lines() {
	echo "scene $1$2"
	# shellcheck disable=SC2086 # an option or nothing
	build/jpbpf --max-cost 100 -U -F 999 -d 0.6 -p $target $2 -o /dev/null \
		>/dev/null 2>&1 &
	profiler=$!
	$built/lines_go $target
	wait $profiler
} >>/out/asked
# measure NAME DEPTH OPTION COMMAND...
measure() {
	name=$1 depth=$2 option=$3
	shift 3
	rm -f $ready
	# The profiler is the one to begin.
	nice -n 19 "$@" >/dev/null 2>&1 &
	target=$!
	until [ -s $ready ]; do
		sleep 0.02
	done
	scene "$name" "$depth" "$option"
	case $depth in
	190 | 12 | 30) lines "$name" "$option" ;;
	esac
	kill $target
	wait $target 2>/dev/null
}
uname -r >/out/release
sysctl -q -w kernel.kptr_restrict=0 net.core.bpf_jit_kallsyms=1
grep -i '^[0-9a-f]* t [^[]*$' /proc/kallsyms >/out/kernel
# After a second or so; not at all where there is no other clock to compare with.
clock='s/.*tsc: Refined TSC clocksource calibration: \([0-9.]*\) MHz.*/\1/p'
tries=0
until mhz=$(dmesg | sed -n "$clock") && [ -n "$mhz" ]; do
	tries=$((tries + 1))
	if [ $tries -ge 100 ]; then
		mhz=1000
		break
	fi
	sleep 0.1
done
for depth in 190 380; do
	measure native $depth '' $built/deep 100 $ready $depth
done
# tcl DEPTH OPTION
tcl() {
	measure tcl "$1" "$2" tclsh8.6 $programs/cost_tcl.tcl \
		$built/truth_tcl.so 100 "$1" $ready
}
tcl 12 ''
tcl 24 ''
tcl 12 --lines
# r DEPTH OPTION
r() {
	measure r "$1" "$2" Rscript --vanilla $programs/cost_r.R \
		$built/truth_r.so 100 "$1" $ready
}
r 30 ''
r 60 ''
r 30 --lines
