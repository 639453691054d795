#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# --inlines: functions that compilers have put into others, with --lines and without.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" gcc g++ objcopy

line() {
	source_line inlined.cpp "$1"
}
{
	truth_row 1 main deep 'app::box<unsigned long>::middle_[i]' \
		'app::box<unsigned long>::inner_[i]'
	truth_row 2 main both 'app::shallow_[i]'
	truth_row 3 main both '~.*operator\(\)_\[i\]' plain
} >"$work/inlines"
{
	truth_row 1 main deep
	truth_row 2 main both
	truth_row 3 main both plain
} >"$work/plain"
{
	truth_row 1 "main ($(line 'main deep'))" "deep ($(line deep))" \
		"app::box<unsigned long>::middle_[i] ($(line middle))" \
		"app::box<unsigned long>::inner_[i] ($(line inner))"
	truth_row 2 "main ($(line 'main both'))" "both ($(line both))" \
		"app::shallow_[i] ($(line shallow))"
	truth_row 3 "main ($(line 'main both'))" "both ($(line 'calls lambda'))" \
		"~.*operator\(\)_\[i\] \($(line lambda)\)" "plain ($(line plain))"
} >"$work/lines"

gcc -O2 -g0 -fomit-frame-pointer -c "$sources/leaves.c" -o "$work/leaves.o" ||
	blame 'leaves.c does not build'
for form in 'g++ -gdwarf-5' 'g++ -gdwarf-4' 'clang++ -gdwarf-5' \
	'g++ -g -gz' separate; do
	compiler=$form
	[ "$form" = separate ] && compiler='g++ -g'
	command -v "${compiler%% *}" >/dev/null || continue
	# shellcheck disable=SC2086 # options
	$compiler -std=c++17 -O2 -fomit-frame-pointer "$sources/inlined.cpp" \
		"$work/leaves.o" -o "$work/inlined" >"$work/build" 2>&1 ||
		blame "$form does not build" "$work/build"
	if [ "$form" = separate ]; then
		objcopy --only-keep-debug "$work/inlined" "$work/inlined.debug"
		strip "$work/inlined"
		(cd "$work" && objcopy --add-gnu-debuglink=inlined.debug inlined)
	fi
	start "$work/inlined" 60
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U --inlines
	status_is 0
	accounts
	exactly "$work/inlines"
	first=$exact
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U --inlines --lines
	status_is 0
	exactly "$work/lines"
	verdict "inlined functions ($form), with lines: $first, $exact exact"
	stop "$target"
done

start "$work/inlined" 60
profile -p "$target" -F 999 --max-cost 100 -d 2 -U
status_is 0
exactly "$work/plain"
verdict "without --inlines: $exact exact"
stop "$target"
exit "$failed"
