#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Processes that begin, become other programs and end, and containers, in the oldest
# kernel that is supported and the newest one: test_kernels.sh with the tests of
# tests/root that are about these.  Where all takes 16 times longer, what is between
# two looks at a process is often another program.
#
# Environment: as there; nothing is done when KERNELS has neither of them or PROGRAMS is
# given.
set -u
if [ -n "${PROGRAMS+given}" ]; then
	echo 'skipped - processes on other kernels: other PROGRAMS are asked for'
	exit 0
fi
wanted=
for kernel in ${KERNELS:-6.1 newest}; do
	case $kernel in
	6.1 | newest) wanted="$wanted $kernel" ;;
	esac
done
if [ -z "$wanted" ]; then
	echo 'skipped - processes on other kernels: only in 6.1 and the newest'
	exit 0
fi
KERNELS=$wanted PROGRAMS='test_first test_follow test_containers' NAME=processes
export KERNELS PROGRAMS NAME
exec "$(dirname "$0")/test_kernels.sh"
