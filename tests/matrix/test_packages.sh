#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth in every Tcl that Debian packages.
# shellcheck source=tests/matrix/scene.sh
. "$(dirname "$0")/scene.sh"

# What is packaged for Tcl 8 and 9 alike, and for each of them.
common='tcl8.6 tcl-thread tcl-itcl4 tk8.6'
trixie="$common tcl9.0 tk9.0"
sid="$trixie tcl9.1"
# shellcheck disable=SC2086 # lists of words
{
	truth_of packaged bullseye 8.6 $common
	truth_of packaged bookworm 8.6 $common
	truth_of packaged trixie 8.6 $trixie
	truth_of packaged trixie 9.0 $trixie
	truth_of packaged sid 8.6 $sid
	truth_of packaged sid 9.0 $sid
	truth_of packaged sid 9.1 $sid
}
exit "$failed"
