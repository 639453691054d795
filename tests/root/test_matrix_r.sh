#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What is fast enough of `make check-matrix` for R: the newest one.
# Runs beside others, long.
DURATION=${DURATION:-5} more_r=
# shellcheck source=tests/matrix/scene.sh
. "$(dirname "$0")/../matrix/scene.sh"

truth_of packaged_r sid
exit "$failed"
