#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack of the ground-truth program "rpromises" must be exact, with the arguments
# that are being evaluated; see tests/root/truth.
# Runs beside others.
exec "$(dirname "$0")/truth" rpromises "$@"
