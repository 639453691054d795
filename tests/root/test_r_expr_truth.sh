#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack of the ground-truth program "rexpr" must be exact, with what each frame
# is evaluating; see tests/root/truth.
# Runs beside others.
exec "$(dirname "$0")/truth" rexpr "$@"
