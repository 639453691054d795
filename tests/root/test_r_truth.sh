#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack of the ground-truth program "r" must be exact; see tests/root/truth.  And
# what it expects must be what R itself says of the same calls.
# Runs beside others.
here=$(cd "$(dirname "$0")" && pwd)
programs=${JPBPF_TEST_DIR:-build/tests}/programs
if [ $# -eq 0 ] && command -v Rscript >/dev/null; then
	said=$(Rscript --vanilla "$here/../programs/truth_r.R" \
		"$programs/truth_r.so" --verify 2>&1)
	case $said in
	*" paths, 0 differ") echo "ok - what is expected is what R says" ;;
	*)
		echo "not ok - what is expected is not what R says"
		printf '%s\n' "$said" | tail -n 60 | cut -c 1-400 | sed 's/^/# /'
		exit 1
		;;
	esac
fi
DURATION=${DURATION:-10} exec "$here/truth" r "$@"
