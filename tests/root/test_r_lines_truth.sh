#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "rlines" must be exact, with the source
# line of each R frame; see tests/root/truth.
exec "$(dirname "$0")/truth" rlines "$@"
