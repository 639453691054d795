#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack of the ground-truth program "r" must be exact; see tests/root/truth.
DURATION=${DURATION:-10} exec "$(dirname "$0")/truth" r "$@"
