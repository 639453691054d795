#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What is fast enough of `make check-matrix`: Tcl 9 from two releases, and one
# build in which the evaluator is inlined into its callers.
# Runs beside others, long.
DURATION=${DURATION:-4} more=
# shellcheck source=tests/matrix/scene.sh
. "$(dirname "$0")/../matrix/scene.sh"

# It is compiled beside the others' runs; truth_of waits for it.
(built clang clang -O2) >/dev/null 2>&1 &
truth_of packaged trixie 9.0 tcl9.0
truth_of packaged sid 9.1 tcl9.1
truth_of built clang clang -O2
exit "$failed"
