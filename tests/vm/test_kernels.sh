#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The ground truth on other kernels, each booted in a machine of its own by tools/vm.
#
#   test_kernels.sh [KERNEL]
#
# A kernel before 6.1 must be refused with its reason; on any other, every sample in a
# ground-truth leaf must have exactly the expected stack, every set of options must
# pass the verifier, and the kernel must warn of nothing.  Each kernel gives a line in
# $BUILD/vm/table for `tests/vm/table`; what it said is below $BUILD/vm/results, and how
# far it is in table-KERNEL/console there.  As many run at once as there are processors
# and memory.
#
# Environment: BUILD (build), KERNELS (all: see below), PROGRAMS (in each of them; see
# guest_truth.sh; PROGRAMS=options asks the verifier only, a minute each), TIMEOUT
# (7200, seconds for one kernel), JOBS, NAME (table: of the lines and the results).
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(realpath "$here/../..")
BUILD=$(realpath "${BUILD:-$top/build}")
export BUILD
kernels=${KERNELS:-5.10 6.1 6.12 6.12-cloud 6.12-rt 6.18 newest}
programs=${PROGRAMS-options calls tcl lines threads tcl+helper r rnames r+helper test_kinds_truth
	test_jump_truth test_kernel_truth test_trampolines}
name=${NAME:-table}
failed=0

not_ok() {
	echo "not ok - Linux $release: $1"
	[ ! -s "${2:-}" ] || tail -n 20 "$2" | sed 's/^/# /'
	failed=1
}
# row REMARK [COLUMN...]: of the table; "-" where there is nothing to count.
row() {
	{
		printf '%s' "$release"
		printf '\t%s' "$@"
		echo
	} >"$results/row"
}
has_bpf_loop() {
	awk -v release="$1" 'BEGIN { split(release, n, /[^0-9]+/)
		exit !(n[1] > 6 || n[1] == 6 && n[2] >= 1) }'
}

# The kernel's own version: Debian's is not in its release.
refused() {
	version=$(sed -n 's/^FAIL kernel  *\([0-9]\)/\1/p' "$results/check")
	wanted='boot Linux 6.1 or newer: the walk needs bpf_loop()'
	if [ "$status" = 3 ] && [ "$(said_status check)" = 3 ] &&
		grep -qF "$wanted" "$results/check" &&
		[ "$(cat "$results/load")" = \
			"jpbpf: error: kernel: $version; $wanted" ]; then
		echo "ok - Linux $release: refused, status 3: $version; $wanted"
		row 'refused: the walk needs bpf_loop()'
	else
		not_ok "status $status, expected to be refused" "$results/load"
		row failed
	fi
}

# All of them, by the verifier of this kernel.
loads() {
	bad=$(grep -v '^0 ' "$results/loads")
	count=$(grep -c . "$results/loads")
	[ -z "$bad" ] || {
		not_ok "does not load with$(echo "$bad" | sed 's/^[0-9 ]*/ /')"
		return
	}
	echo "ok - Linux $release: loads with $count sets of options"
}

# Which column of the table a program counts for.
column_of() {
	case $1 in
	tcl* | lines | threads) echo tcl ;;
	r*) echo r ;;
	test_kinds_truth | test_jump_truth) echo native ;;
	test_kernel_truth) echo kernel ;;
	*) echo other ;;
	esac
}
# Samples that a program must have.
least_of() {
	case $1 in
	*+helper) echo 50 ;;
	calls | test_first | test_follow | test_containers) echo 0 ;;
	*) echo 500 ;;
	esac
}

# one PROGRAM: a line in $results/sums: column, exact, total, reached, taken, tests passed.
one() {
	log=$results/$1/log
	# shellcheck disable=SC2046 # five numbers
	set -- "$1" $(awk '
		/^exact\/total = / { split($3, n, "/"); e += n[1]; a += n[2] }
		/that reached the root:/ { r += $8; t += $10 }
		/^ok - / { ok++ }
		END { print e + 0, a + 0, r + 0, t + 0, ok + 0 }' "$log")
	echo "$(column_of "$1") $2 $3 $4 $5 $6" >>"$results/sums"
	if [ "$2" != "$3" ] || grep -q '^not ok' "$log" ||
		[ "$(cat "$results/$1/status" 2>/dev/null)" != 0 ]; then
		remark=failed
		not_ok "$1: $2/$3 samples exact" /dev/null
		grep -vE '^(ok|# jpbpf)' "$log" | head -n 40 |
			sed 's/^not ok/# &/'
	elif [ "$3" -lt "$(least_of "$1")" ] || [ "$6" = 0 ]; then
		remark=failed
		not_ok "$1: only $3 samples" "$log"
	elif [ "$3" = 0 ]; then
		echo "ok - Linux $release: $1: $6 passed"
	else
		echo "ok - Linux $release: $1: $2/$3 samples exact"
	fi
	sed -n "s/^skipped - /skipped - Linux $release: /p" "$log"
}

# What verifiers warn of themselves is no fault of the program (6.8 to 6.18.15 at least
# say `REG INVARIANTS VIOLATION` of a branch that is never taken).
is_calm() {
	awk '
	/-\[ cut here \]-/ { inside = 1; known = 0; text = "" }
	!inside && /BUG:|WARNING:|Oops|stall|lockup/ { print; next }
	!inside { next }
	{ text = text $0 "\n" }
	/verifier bug:/ { known = 1 }
	/-\[ end trace / {
		if (!known)
			printf "%s", text
		inside = 0
	}
	END {
		if (inside && !known)
			printf "%s", text
	}' "$results/dmesg" >"$results/warnings"
	if [ -s "$results/warnings" ]; then
		not_ok 'the kernel warns' "$results/warnings"
	elif [ -s "$results/dmesg" ]; then
		echo "ok - Linux $release: the kernel warns of nothing"
	else
		not_ok 'nothing of what the kernel said'
	fi
}

truth() {
	remark='all exact'
	[ "${programs:-options}" != options ] || remark='loads'
	: >"$results/sums"
	for program in $programs; do
		case $program in
		options) loads ;;
		*) one "$program" ;;
		esac
	done
	is_calm
	[ "$failed" = 0 ] || remark=failed
	verified=$(sed -n 's/.*program on_sample: \([0-9]*\) .*/\1/p' \
		"$results/load")
	# shellcheck disable=SC2046 # columns
	row "$remark" $(awk '
	{
		exact[$1] += $2; total[$1] += $3
		reached += $4; taken += $5; passed += $6
	}
	function share(c) { return total[c] ? exact[c] "/" total[c] : "-" }
	END {
		reach = taken ? sprintf("%.2f%%", 100 * reached / taken) : "-"
		print share("tcl"), share("r"), share("native"), share("kernel"),
			passed ? passed : "-", reach
	}' "$results/sums") "${verified:-?}"
}

said_status() {
	sed -n "s/^$1 //p" "$results/status" 2>/dev/null
}

boot() {
	release=$1
	# shellcheck disable=SC2086 # a list of words
	"$top/tools/vm" run -n 4 -t "${TIMEOUT:-7200}" -o "$results" "$1" \
		tests/vm/guest_truth.sh $programs >"$results/console" \
		2>"$results/error"
	said=$(tail -n 1 "$results/console")
	case $said in
	skipped:*)
		echo "skipped - Linux $1: ${said#skipped: }"
		row "skipped: ${said#skipped: }"
		return
		;;
	esac
	status=$(said_status profile)
	if [ -z "$status" ]; then
		cat "$results/error" >>"$results/console"
		not_ok 'it does not boot' "$results/console"
		row 'does not boot'
		return
	fi
	release=$(cat "$results/release")
	if ! has_bpf_loop "$release"; then
		refused
	elif [ "$status" != 0 ]; then
		not_ok "jpbpf ends with status $status" "$results/load"
		row 'does not load'
	else
		truth
	fi
}

# Each takes a processor and 3.5 GB.
jobs() {
	awk -v processors="$(nproc)" '/^MemAvailable:/ {
		n = int($2 / 3500000)
		if (n > processors)
			n = processors
		print n < 1 ? 1 : n
	}' /proc/meminfo
}

if [ $# = 1 ]; then
	results=$BUILD/vm/results/$name-$1
	rm -rf "$results"
	mkdir -p "$results"
	boot "$1" >"$results/verdicts"
	exit 0
fi
mkdir -p "$BUILD/vm"
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $kernels | xargs -P "${JOBS:-$(jobs)}" -I '{}' "$0" '{}'
for kernel in $kernels; do
	results=$BUILD/vm/results/$name-$kernel
	cat "$results/verdicts"
	! grep -q '^not ok' "$results/verdicts" || failed=1
	[ ! -e "$results/row" ] || cat "$results/row" >>"$BUILD/vm/$name"
done
exit "$failed"
