#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a sample costs in the kernel, in instructions and in cache lines, against
# tests/vm/cost.baseline.
#
#   test_cost.sh [KERNEL]
#
# In the guest an instruction takes exactly a nanosecond, nothing comes from outside,
# and the disk is the same bytes: the same build gives the same figures to the last
# digit (REPEAT=3 boots three times and compares).  Another build of the same BPF code
# has its memory elsewhere: more than one in 2,000 is a change of the code.  What the
# verifier counts is compared as well.  What has become cheaper is no failure; `make
# check-vm UPDATE=1` writes the figures into the baseline, for a commit.
#
# Lines are those of 64 bytes that a warm sample touches, each counted once, the mean of
# some samples: of the BPF programs' code, of the kernel (the code and data of helpers,
# and the stack), of maps, of the target's memory, and of its page tables that the walk
# reads.  They are what costs where instructions do not, and do not depend on the host
# either.  The kernel puts compiled code at a random place within its line, worth 1 %:
# 2 % more is a change.  tests/vm/lines.pl tells which functions they are of.
#
# The kernels are those of the baseline: one that reads memory through the helper and
# one that reads it directly.  Packages change with time: on another release
# of a kernel than that of the baseline 1 % is allowed.  What was measured is in
# $BUILD/vm/costs, in the baseline's form, for `tests/vm/table`.
#
# Environment: BUILD (build), KERNELS (all), UPDATE, REPEAT (1), TIMEOUT (7200, seconds
# for one).
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(realpath "$here/../..")
BUILD=$(realpath "${BUILD:-$top/build}")
export BUILD
baseline=$here/cost.baseline
failed=0
scenes=8 shallow=5	# that a guest measures, in instructions and in lines
mkdir -p "$BUILD/vm"

not_ok() {
	echo "not ok - cost on Linux $1"
	[ ! -s "${2:-}" ] || tail -n 20 "$2" | sed 's/^/# /'
	failed=1
}

# figures KERNEL RELEASE LINES COSTS: what was found, in the baseline's form.  A frame
# costs what twice the depth costs more.
figures() {
	awk -v kernel="$1" -v release="$2" '
	NR == FNR {
		name = $1
		sub(/^[^ ]* /, "")
		lines[name] = $0
		next
	}
	{
		n = ++seen[$1]
		if (n == 1)
			program[++programs] = $1
		ns[$1, n] = $3; native[$1, n] = $4; other[$1, n] = $5
		verified[$1] = $6
	}
	function native_frame() {
		return (ns["native", 2] - ns["native", 1]) / \
			(native["native", 2] - native["native", 1])
	}
	# Without the native frames that come with the others.
	function frame(p) {
		return (ns[p, 2] - ns[p, 1] - \
			(native[p, 2] - native[p, 1]) * native_frame()) / \
			(other[p, 2] - other[p, 1])
	}
	END {
		for (i = 1; i <= programs; i++) {
			p = program[i]
			each = "-"
			if (seen[p] == 2)
				each = sprintf("%.1f", p == "native" ? \
					native_frame() : frame(p))
			printf "%-10s %-26s %-12s %10.1f %7.1f %7.1f %8s %8d %s\n",
				kernel, release, p, ns[p, 1], native[p, 1],
				other[p, 1], each, verified[p], lines[p]
		}
	}' "$3" "$4"
}

# compare KERNEL FIGURES: with what the baseline has.
compare() {
	awk -v kernel="$1" '
	/^#/ { next }
	NR == FNR {
		if ($1 == kernel) {
			release = $2
			before[$3] = $4
			frames[$3] = $5 " native, " $6 " others"
			verified[$3] = $8
			lines[$3] = $9
		}
		next
	}
	function change(now, then) { return 100 * (now - then) / then }
	{
		title = "cost on Linux " $2 ", " $3
		if (!before[$3]) {
			printf "not ok - %s: not in the baseline\n", title
			bad = 1
			next
		}
		if ($5 " native, " $6 " others" != frames[$3]) {
			printf "not ok - %s: %s native, %s others, ", title, $5, $6
			print "baseline " frames[$3]
			bad = 1
			next
		}
		allowed = $2 == release ? 0.05 : 1
		cost = change($4, before[$3])
		code = change($8, verified[$3])
		more = change($9, lines[$3])
		is_bad = cost > allowed || code > 2 || more > 2
		bad += is_bad
		printf "%s - %s: %.1f ns, baseline %.1f (%+.3f %%); ",
			is_bad ? "not ok" : "ok", title, $4, before[$3], cost
		printf "verified %d, baseline %d (%+.2f %%); ", $8,
			verified[$3], code
		printf "lines %d, baseline %d (%+.1f %%)\n", $9, lines[$3], more
	}
	END { exit bad > 0 }' "$baseline" "$2" || failed=1
}

# remember KERNEL FIGURES: as the new baseline.
remember() {
	{
		grep '^#' "$baseline"
		{
			grep -v '^#' "$baseline" | grep -v "^$1 "
			cat "$2"
		} | sort -s -k 1,1V
	} >"$baseline.new"
	mv "$baseline.new" "$baseline"
	echo "ok - cost on Linux $1: written into the baseline"
}

# Every scene, with samples that have frames; and the lines of those not so deep.
is_measured() {
	"$here/lines.pl" "$results" >"$results/sums" 2>>"$results/error"
	[ "$(awk '$2 > 0' "$results/sums" | wc -l)" = $shallow ] || return
	[ -s "$results/release" ] && [ -s "$results/cost" ] &&
		awk -v scenes=$scenes '
		NF == 6 && $3 > 0 && $4 > 0 && $6 > 0 { good++ }
		END { exit !(NR == scenes && good == scenes) }' "$results/cost"
}

# measure KERNEL: leaves a line in $results/cost for each scene.
measure() {
	rm -rf "$results"
	mkdir -p "$results"
	said=$("$top/tools/vm" run -n 1 -t "${TIMEOUT:-7200}" -o "$results" \
		-p "$BUILD/vm/lines.so,log=$results/lines" "$1" \
		tests/vm/guest_cost.sh 2>"$results/error")
	case $said in
	skipped:*)
		echo "skipped - cost on Linux $1: ${said#skipped: }"
		return 1
		;;
	esac
	if ! is_measured; then
		printf '%s\n' "$said" >>"$results/error"
		not_ok "$1: not measured" "$results/error"
		return 1
	fi
}

# again KERNEL: the same to the last digit?
again() {
	cp "$results/cost" "$results.first"
	turn=1
	while [ $turn -lt "${REPEAT:-1}" ]; do
		turn=$((turn + 1))
		measure "$1" || return
		if cmp -s "$results.first" "$results/cost"; then
			echo "ok - cost on Linux $1: boot $turn gives the same digits"
		else
			diff "$results.first" "$results/cost" >"$results/differs"
			not_ok "$1: boot $turn gives others" "$results/differs"
		fi
	done
}

# all_of KERNEL: the figures are those of the first boot.
all_of() {
	measure "$1" || return
	figures "$1" "$(cat "$results/release")" "$results/sums" "$results/cost" \
		>"$figures"
	[ "${REPEAT:-1}" = 1 ] || again "$1"
	[ "${UPDATE:-0}" = 1 ] || compare "$1" "$figures"
}

if [ $# = 1 ]; then
	results=$BUILD/vm/results/cost-$1
	figures=$results.figures
	rm -f "$figures"
	mkdir -p "$results"
	all_of "$1" >"$results.verdicts"
	exit 0
fi
kernels=
for kernel in $(sed '/^#/d; s/ .*//' "$baseline" | uniq); do
	case " ${KERNELS:-$kernel} " in
	*" $kernel "*) kernels="$kernels $kernel" ;;
	esac
done
if [ -z "$kernels" ]; then
	echo 'skipped - cost: none of these kernels is in the baseline'
	exit 0
fi
cc -shared -fPIC -O2 -o "$BUILD/vm/lines.so" "$here/lines.c" || exit 1
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $kernels | xargs -P "$(nproc)" -I '{}' "$0" '{}'
for kernel in $kernels; do
	results=$BUILD/vm/results/cost-$kernel
	cat "$results.verdicts"
	! grep -q '^not ok' "$results.verdicts" || failed=1
	[ -s "$results.figures" ] || continue
	cat "$results.figures" >>"$BUILD/vm/costs"
	[ "${UPDATE:-0}" != 1 ] || remember "$kernel" "$results.figures"
done
exit "$failed"
