#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "rscript" must be exact, with the lines of
# the script that R was started with, in both ways; see tests/root/truth.
# Runs beside others.
here=$(cd "$(dirname "$0")" && pwd)
"$here/truth" rscript || exit 1
"$here/truth" rscript R --vanilla --no-echo -f
