#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# shellcheck disable=SC2034
#
# What the tests of formats stand on; sourced, not run.
#
# Environment: BUILD (build).

set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(realpath "$here/../..")
BUILD=${BUILD:-$top/build}
make_profile=$BUILD/tests/views/make_profile
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# need PROGRAM...: the readers, or nothing is tested.
need() {
	for program; do
		command -v "$program" >/dev/null && continue
		echo "skipped - $0: no $program (tools/install-deps --tests)"
		exit 0
	done
}

# same WHAT EXPECTED GOT: two texts.
same() {
	if [ "$2" = "$3" ]; then
		echo "ok - $1"
		return
	fi
	echo "not ok - $1"
	printf '%s\n' "$2" >expected
	printf '%s\n' "$3" >got
	diff expected got | sed 's/^/# /'
	failed=1
}

# refuses FORMAT: a stream without room is an error, whatever the size.
refuses() {
	for spec in empty deep=5 stacks=3000; do
		"$make_profile" "$1" "$spec" 2>/dev/null >/dev/full
		same "$1: no room for $spec" 1 $?
	done
}

# Functions of folded stacks on standard input: samples in and under each, by name; no
# place, no mark of inlines.
by_function() {
	perl -ne '
		s/ (\d+)\n// or die "no number: $_";
		my ($n, @stack) = ($1, split /;/);
		shift @stack; # the command
		for (@stack) { s/ \((.*:|#)\d+\)$//; s/_\[i\]$//; }
		$in{$stack[-1]} += $n if @stack;
		my %seen;
		$under{$_} += $n for grep { !$seen{$_}++ } @stack;
		END { printf "%d %d %s\n", $in{$_} // 0, $under{$_}, $_ for sort keys %under }'
}
