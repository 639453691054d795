#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a sample costs in the kernel, in instructions, against tests/vm/cost.baseline.
#
# A guest in which an instruction takes exactly a nanosecond does the same work in each
# boot: the same build gives the same figures to about one in 20,000, so that
# more than that is a change of the code.  Those of the verifier are compared as well.
# What has become cheaper is no failure; `UPDATE=1 make check-vm` writes the figures
# into the baseline, for a commit.
#
# The kernels are those of the baseline: one that reads memory through the helper and
# one that reads it directly.  Packages change with time: on another release
# of a kernel than that of the baseline 1 % is allowed.  Each figure gives a line
# in $BUILD/vm/costs for `tests/vm/table`.
#
# Environment: BUILD (build), KERNELS (all), UPDATE, TIMEOUT (900, seconds for one).
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(realpath "$here/../..")
BUILD=$(realpath "${BUILD:-$top/build}")
export BUILD
baseline=$here/cost.baseline
failed=0
mkdir -p "$BUILD/vm"

not_ok() {
	echo "not ok - cost on Linux $1"
	[ ! -s "${2:-}" ] || tail -n 20 "$2" | sed 's/^/# /'
	failed=1
}

# compare KERNEL RELEASE: what the guest wrote, with what the baseline has.
compare() {
	awk -v kernel="$1" -v release="$2" '
	/^#/ { next }
	NR == FNR {
		if ($1 != kernel)
			next
		before[$3] = $4
		verified[$3] = $5
		allowed = $2 == release ? 0.05 : 1
		next
	}
	function change(now, then) { return 100 * (now - then) / then }
	{
		title = "cost on Linux " release ", " $1
		if (!before[$1]) {
			printf "not ok - %s: not in the baseline\n", title
			bad = 1
			next
		}
		left--
		cost = change($2, before[$1])
		code = change($3, verified[$1])
		is_bad = cost > allowed || code > 2
		bad += is_bad
		printf "%s - %s: %d instructions, baseline %d (%+.2f %%); ",
			is_bad ? "not ok" : "ok", title, $2, before[$1], cost
		printf "verified %d, baseline %d (%+.2f %%)\n", $3,
			verified[$1], code
	}
	END { exit bad > 0 }' "$baseline" "$3" || failed=1
}

# remember KERNEL RELEASE COSTS: as the new baseline.
remember() {
	{
		grep '^#' "$baseline"
		{
			grep -v '^#' "$baseline" | grep -v "^$1 "
			awk -v kernel="$1" -v release="$2" '
			{ printf "%s %s %s %d %d\n", kernel, release, $1,
				$2 + 0.5, $3 }' "$3"
		} | sort -s -k 1,1V
	} >"$baseline.new"
	mv "$baseline.new" "$baseline"
	echo "ok - cost on Linux $2: written into the baseline"
}

measure() {
	results=$BUILD/vm/results/cost-$1
	rm -rf "$results"
	mkdir -p "$results"
	said=$("$top/tools/vm" run -n 1 -t "${TIMEOUT:-900}" -o "$results" "$1" \
		tests/vm/guest_cost.sh 2>"$results/error")
	case $said in
	skipped:*)
		echo "skipped - cost on Linux $1: ${said#skipped: }"
		return
		;;
	esac
	if [ "$(grep -c . "$results/cost" 2>/dev/null)" != 5 ]; then
		printf '%s\n' "$said" >>"$results/error"
		not_ok "$1: not measured" "$results/error"
		return
	fi
	release=$(cat "$results/release")
	sed "s/^/$release /" "$results/cost" >>"$BUILD/vm/costs"
	if [ "${UPDATE:-0}" = 1 ]; then
		remember "$1" "$release" "$results/cost"
	else
		compare "$1" "$release" "$results/cost"
	fi
}

for kernel in $(sed '/^#/d; s/ .*//' "$baseline" | uniq); do
	case " ${KERNELS:-$kernel} " in
	*" $kernel "*) measure "$kernel" ;;
	esac
done
exit "$failed"
