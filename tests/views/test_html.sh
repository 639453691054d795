#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The flame graph (-f html) in Chromium, by value.  html.js says what.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/root/scene.sh
. "$here/../root/scene.sh"
make=$JPBPF_TEST_DIR/views/make_profile
need node chromium "$make"

for page in 'small html' 'untimed html untimed' 'empty html empty' 'diff html-diff'; do
	# shellcheck disable=SC2086 # a list of words
	"$make" ${page#* } >"$work/${page%% *}.html" || blame "make_profile ${page#* } failed"
done
# In the page all is text: what ends a script is only the page's own.
[ "$(grep -c '</script>' "$work/small.html")" = 2 ] ||
	blame "a name ends the script"
verdict "html: pages are written"
node "$here/html.js" "$work"
