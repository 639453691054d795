#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Runs in the guest, which counts instructions: what a sample costs in the kernel.
#
# Each program stays in one place under a stack of fixed depth: 190 native frames;
# 12 Tcl procs; 30 R closures, which are some 190 native frames.  It is profiled twice,
# briefly and longer: what is cold at first is in both, so the difference of
# the times by that of the samples is the cost of one when all is warm.
# /out/cost gets a line for each: name, that cost in ns, which here are
# instructions; and the verified instructions with its options.
set -u
export LC_ALL=C
programs=tests/programs
built=build/tests/programs

# profile NAME SECONDS OPTION...
profile() {
	# shellcheck disable=SC2086 # an option or nothing
	build/jpbpf --stats -U -F 999 -d "$2" -p $target $3 \
		-o "/out/$1.$2.folded" >"/out/$1.$2" 2>&1
}
# measure NAME COMMAND...
measure() {
	name=$1
	shift
	"$@" >/dev/null 2>&1 &
	target=$!
	sleep 2
	for option in '' --lines; do
		scene=$name$option
		[ "$scene" != native--lines ] || continue
		profile "$scene" 0.2 "$option"
		profile "$scene" 0.8 "$option"
		awk -v name="$scene" '
		/ ns in .* walks/ { ns = $3 - ns; walks = $6 - walks }
		/ program on_sample: / { verified = $5 }
		END { printf("%s %.2f %d\n", name, ns / (walks + !walks),
			verified) }' "/out/$scene.0.2" "/out/$scene.0.8" |
			tee -a /out/cost
	done
	kill $target
	wait $target 2>/dev/null
}
uname -r >/out/release
measure native $built/deep 100 /dev/null 190
measure tcl tclsh8.6 $programs/cost_tcl.tcl $built/truth_tcl.so 100
measure r Rscript --vanilla $programs/cost_r.R $built/truth_r.so 100
