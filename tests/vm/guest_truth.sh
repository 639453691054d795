#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Runs in the guest: what jpbpf says of this kernel, and the ground truth.
#
#   guest_truth.sh PROGRAM...
#
# Leaves in /out: release, check, load (the profiler's --stats), and of each program
# a folder with its log.  Fewer samples a second than elsewhere, because
# programs run some 16 times slower here and a sample's cost grows with them.
set -u
export FREQUENCY="${FREQUENCY:-499}" SPARE=300
uname -r >/out/release
build/jpbpf check >/out/check 2>&1
build/jpbpf --stats -v -d 0.2 -p $$ -o /out/folded >/out/load 2>&1
echo $? >/out/status
[ "$(cat /out/status)" = 0 ] || exit 0
failed=0
for program; do
	mkdir -p "/out/$program"
	# So long that each of some 300 paths gets 15 samples on average, and none
	# is left without; one turn through all of R's takes some seconds.
	case $program in
	r) export DURATION=25 ;;
	*) export DURATION=12 ;;
	esac
	KEEP=/out/$program tests/root/truth "$program" \
		>"/out/$program/log" 2>&1 || failed=1
done
exit $failed
