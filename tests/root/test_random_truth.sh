#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Random programs in Tcl and R: every stack, wherever it was taken, is one that the program
# can have, or says where frames may be missing; see tests/root/whole.  Then coroutines that
# do nothing but switch, namespaces that Tcl overwrites for a moment, and Tcl and C thousands
# of times in each other.
#
#   test_random_truth.sh [SEED]     default: the time, and one that stays
#
# Runs beside others.
here=$(cd "$(dirname "$0")" && pwd)
failed=0
export FREQUENCY="${FREQUENCY:-9999}" DURATION="${DURATION:-2}" MARKED="${MARKED:-100}" LEAST=3000

truth() {
	"$here/truth" "$@" || failed=1
}
for seed in 1 "${1:-$(date +%s)}"; do
	truth randomtcl "$seed"
	truth randomr "$seed"
done
DURATION=2
truth switches 3
OPTIONS=--internals INTERNALS=1 truth switches 1
truth spaces 1
truth spaces 4
FREQUENCY=99
truth nested 2501
truth nested 5001
exit $failed
