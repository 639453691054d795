#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth in Tcls that were configured and compiled in other ways: linked
# into the program, without threads, the evaluator inlined into its callers, its
# values in stack slots.
# shellcheck source=tests/matrix/scene.sh
. "$(dirname "$0")/scene.sh"

truth_of built shared gcc -O2
export WITH_MAIN=1
truth_of built static gcc -O2 --disable-shared
unset WITH_MAIN
truth_of built unthreaded gcc -O2 --disable-threads
truth_of built O0 gcc -O0
truth_of built O3 gcc -O3
truth_of built Os gcc -Os
# Bytecode that runs a trace itself has no line there (see docs/limits.md).
export WITHOUT_LINE="write trace: clang keeps the engine's program counter where it is not found"
truth_of built clang clang -O2
exit "$failed"
