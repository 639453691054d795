#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack of the ground-truth program "threads" must be exact; see tests/root/truth.
# Runs beside others.
exec "$(dirname "$0")/truth" threads "$@"
