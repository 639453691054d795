#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Random programs until SAMPLES (500,000) have been compared, half of them Tcl's and half
# R's: see tests/root/test_random_truth.sh.  The same with dumps, a tenth as many.
# SEED (the time): that of the first ones.
here=$(cd "$(dirname "$0")" && pwd)
SAMPLES=${SAMPLES:-500000}
seed=${SEED:-$(date +%s)}
failed=0 tries=0
export FREQUENCY="${FREQUENCY:-19999}" DURATION="${DURATION:-10}" MARKED="${MARKED:-100}"
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
trap 'exit 1' INT TERM

# compare WHAT NUMBER: at least so many.
compare() {
	sum=0
	while [ $sum -lt "$2" ] && [ $tries -lt 100 ]; do
		"$here/../root/truth" "$1" "$seed" >"$said" || failed=1
		cat "$said"
		seed=$((seed + 1)) tries=$((tries + 1))
		sum=$((sum + $(sed -n 's/^.*ok - .*: \([0-9]*\) samples.*/\1/p;s/^skipped.*/9999999/p' "$said")))
	done
}
for what in randomtcl randomr; do
	compare $what $((SAMPLES / 2))
done
export DUMP=1
for what in randomtcl randomr; do
	compare $what $((SAMPLES / 20))
done
[ $tries -lt 100 ] || echo 'not ok - too few samples'
exit $failed
