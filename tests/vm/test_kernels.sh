#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The ground truth on other kernels, each booted in a machine of its own by tools/vm.
#
# A kernel before 6.1 must be refused with its reason; on any other, every sample in a
# ground-truth leaf must have exactly the expected stack.  Each gives a line in
# $BUILD/vm/table for `tests/vm/table`; what it said is below $BUILD/vm/results.
#
# Environment: BUILD (build), KERNELS (all: see below), PROGRAMS (of the ground
# truth), TIMEOUT (1200, seconds for one kernel).
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(realpath "$here/../..")
BUILD=$(realpath "${BUILD:-$top/build}")
export BUILD
kernels=${KERNELS:-5.10 6.1 6.12 6.12-cloud 6.12-rt 6.18 newest}
programs=${PROGRAMS:-tcl lines threads r rnames}
least=500	# samples that one program must have
failed=0
mkdir -p "$BUILD/vm"

not_ok() {
	echo "not ok - Linux $release: $1"
	[ ! -s "${2:-}" ] || tail -n 20 "$2" | sed 's/^/# /'
	failed=1
}
# row SAMPLES REACHED VERIFIED REMARK
row() {
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$release" "$1" "$2" "$3" \
		"$(($(date +%s) - begin))" "$4" >>"$BUILD/vm/table"
}
has_bpf_loop() {
	awk -v release="$1" 'BEGIN { split(release, n, /[^0-9]+/)
		exit !(n[1] > 6 || n[1] == 6 && n[2] >= 1) }'
}

# The kernel's own version: Debian's is not in its release.
refused() {
	version=$(sed -n 's/^FAIL kernel  *\([0-9]\)/\1/p' "$results/check")
	wanted='boot Linux 6.1 or newer: the walk needs bpf_loop()'
	if [ "$status" = 3 ] &&
		[ "$(cat "$results/load")" = \
		"jpbpf: error: kernel: $version; $wanted" ]; then
		echo "ok - Linux $release: refused: $version; $wanted"
		row - - - refused
	else
		not_ok "status $status, expected to be refused" "$results/load"
	fi
}

# one_truth PROGRAM: adds to $exact, $total, $reached and $taken.
one_truth() {
	log=$results/$1/log
	# shellcheck disable=SC2046 # four numbers
	set -- "$1" $(awk '
		/^exact\/total = / { split($3, n, "/") }
		/that reached the root:/ { r = $8; t = $10 }
		END { print n[1] + 0, n[2] + 0, r + 0, t + 0 }' "$log")
	exact=$((exact + $2)) total=$((total + $3))
	reached=$((reached + $4)) taken=$((taken + $5))
	if [ "$2" != "$3" ] || grep -q '^not ok' "$log"; then
		fine=no
		not_ok "ground truth $1: $2/$3 samples exact" /dev/null
		grep -vE '^(ok|# jpbpf)' "$log" | head -n 40 |
			sed 's/^not ok/# &/'
	elif [ "$3" -lt $least ]; then
		fine=no
		not_ok "ground truth $1: only $3 samples" "$log"
	else
		echo "ok - Linux $release: ground truth $1: $2/$3 samples exact"
	fi
}

truth() {
	fine=yes exact=0 total=0 reached=0 taken=0
	for program in $programs; do
		one_truth "$program"
	done
	verified=$(sed -n 's/.*program on_sample: \([0-9]*\) .*/\1/p' \
		"$results/load")
	row "$exact/$total" "$(awk "BEGIN { printf \"%.2f %%\",
		100 * $reached / ($taken + !$taken) }")" "${verified:-?}" "$fine"
}

boot() {
	begin=$(date +%s) release=$1
	results=$BUILD/vm/results/$1
	rm -rf "$results"
	mkdir -p "$results"
	said=$("$top/tools/vm" run -n 4 -t "${TIMEOUT:-1200}" -o "$results" "$1" \
		"tests/vm/guest_truth.sh $programs" 2>"$results/error")
	case $said in
	skipped:*)
		echo "skipped - Linux $1: ${said#skipped: }"
		return
		;;
	esac
	printf '%s\n' "$said" >"$results/console"
	if [ ! -s "$results/status" ]; then
		cat "$results/error" >>"$results/console"
		not_ok 'it does not boot' "$results/console"
		return
	fi
	release=$(cat "$results/release")
	status=$(cat "$results/status")
	if ! has_bpf_loop "$release"; then
		refused
	elif [ "$status" != 0 ]; then
		not_ok "jpbpf ends with status $status" "$results/load"
		row - - - 'does not load'
	else
		truth
	fi
}

for kernel in $kernels; do
	boot "$kernel"
done
exit "$failed"
