#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Lines of a script in an R that the profiler itself starts, and so knows before R has
# made the symbols that lines are found by: each must be there from the first on.
# Runs beside others.
set -u
here=$(cd "$(dirname "$0")" && pwd)
JPBPF=${JPBPF:-build/jpbpf}
PROGRAMS=${PROGRAMS:-${JPBPF_TEST_DIR:-build/tests}/programs}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work" # what R leaves behind when it is ended

"$JPBPF" -U --lines -F 999 --max-cost 100 -d "${DURATION:-8}" -o "$work/folded" -- \
	Rscript --vanilla "$here/../programs/truth_r_script.R" \
	"$(realpath "$PROGRAMS/truth_r.so")" "$work/table" 60 2>"$work/summary" \
	>"$work/said"
status=$?
sed 's/^/# /' "$work/summary"
if [ $status != 0 ] || [ ! -s "$work/table" ]; then
	echo "not ok - the profiler ended with status $status"
	exit 1
fi
"$here/exact" "$work/table" "$work/folded"
