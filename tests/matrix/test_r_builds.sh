#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth in an R that was configured in another way: without libR.so, all
# of it in the program.
# shellcheck source=tests/matrix/scene.sh
. "$(dirname "$0")/scene.sh"

export WITH_MAIN=1
truth_of built_r static -O2 --disable-R-shlib
exit "$failed"
