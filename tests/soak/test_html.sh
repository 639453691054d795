#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Flame graphs (-f html) of 100,000 stacks and of a stack of 5,000 frames: written in time,
# and fit for use in Chromium.  What is small is in tests/views.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/root/scene.sh
. "$here/../root/scene.sh"
make=$JPBPF_TEST_DIR/views/make_profile
need node chromium "$make"

began=$(date +%s)
"$make" html stacks=100000 depth=40 >"$work/forty.html" || blame "make_profile failed"
took=$(($(date +%s) - began))
[ $took -lt 10 ] || blame "it took $took s"
verdict "html: 100,000 stacks, 40 deep, are written in 10 s: $took s"

"$make" html stacks=100000 depth=20-60 >"$work/large.html"
"$make" html deep=5000 >"$work/deep.html"
node "$here/../views/html_large.js" "$work"
