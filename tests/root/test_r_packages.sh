#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack through R6, data.table and Rcpp must be exact; see tests/root/truth.
# The C++ of truth_rcpp.cpp is built when it has changed, beside the other programs.
# Runs beside others.
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=${JPBPF_TEST_DIR:-build/tests}/programs
groups=
for package in R6 data.table Rcpp; do
	if ! Rscript --vanilla -e "loadNamespace('$package')" >/dev/null 2>&1; then
		echo "skipped - ground truth, r: no R package $package"
		continue
	fi
	case $package in
	R6) groups="$groups r6" ;;
	data.table) groups="$groups datatable" ;;
	Rcpp)
		source=$here/../programs/truth_rcpp.cpp
		object=$programs/truth_rcpp.so
		include=$(Rscript --vanilla -e \
			'cat(system.file("include", package = "Rcpp"))')
		if ! command -v g++ >/dev/null; then
			echo "skipped - ground truth, r: no g++ for Rcpp"
			continue
		fi
		# shellcheck disable=SC2046 # options
		if [ -z "$(find "$object" -newer "$source" 2>/dev/null)" ]; then
			g++ -O2 -fomit-frame-pointer -g0 -s -fPIC -shared \
				$(R CMD config --cppflags) -I"$include" \
				"$source" -o "$object" || {
				echo "not ok - $source cannot be built"
				exit 1
			}
		fi
		groups="$groups rcpp"
		;;
	esac
done
[ -n "$groups" ] || exit 0
# shellcheck disable=SC2086 # a list of words
DURATION=${DURATION:-3} exec "$here/truth" r $groups
