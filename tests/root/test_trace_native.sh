#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf trace of C++: each call of each function is counted, and how it was left.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" perl

# As the program prints it.
cat >"$work/read.pl" <<'END'
while (<STDIN>) {
	my ($calls, $name, $ways) = /^\s*(\d+) .* c:(app::\w+)(?:\s+\((.*)\))?$/ or next;
	my %how = map { /(\d+) (\w+)/ ? ($2, $1) : () } split /, /, $ways // '';
	my ($tail, $jump) = map { $_ // 0 } @how{qw(tailcall jump)};
	my $other = 0;
	$other += $_ for values %how;
	printf "%s %d %d %d %d\n", $name, $calls, $calls - $other, $tail, $jump;
}
END
# exact COMPILER OPTION...
exact() {
	"$@" -o "$work/native_calls" "$sources/native_calls.cpp" -pthread 2>"$work/err" || {
		blame 'it does not compile' "$work/err"
		return
	}
	rm -f "$work/in"
	mkfifo "$work/in"
	"$work/native_calls" 700 <"$work/in" >"$work/own" &
	target=$!
	started="$started $target"
	exec 4>"$work/in"
	: >"$work/err"
	"$JPBPF" trace -p $target 'c:native_calls:app::*' >"$work/out" 2>"$work/err" 4>&- &
	profiler=$!
	started="$started $profiler"
	until_true 20 grep -q ' [1-9][0-9]* places' "$work/err" || blame 'no places' "$work/err"
	echo >&4
	exec 4>&-
	wait $target
	wait $profiler || blame 'status' "$work/err"
	sort "$work/own" >"$work/expected"
	perl "$work/read.pl" <"$work/out" | grep -vE '^app::Last' | sort >"$work/got"
	diff "$work/expected" "$work/got" >"$work/diff" || blame 'counts' "$work/diff"
	[ -s "$work/expected" ] || blame 'nothing was called'
}
# each COMPILER OPTIONS...
each() {
	compiler=$1
	shift
	command -v "$compiler" >/dev/null || return
	for options; do
		# shellcheck disable=SC2086
		exact $compiler $options
		verdict "$compiler $options"
	done
}
# Without symbols nothing can be chosen by name, but what is exported.
each g++ -O2 '-O3 -fcf-protection=full -D_FORTIFY_SOURCE=2' '-O2 -s -rdynamic' \
	'-O2 -static-libstdc++ -static-libgcc'
each clang++ -O2 -Os
exit $failed
