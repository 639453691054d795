#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "lines" must be exact, with the source
# line of each Tcl frame; see tests/root/truth.  And bytecode that runs must be on a
# line of its own proc, where it has one, which it mostly has.
here=$(cd "$(dirname "$0")" && pwd)
"$here/truth" lines "$@" || exit 1
[ $# = 0 ] || exit 0
[ "$(id -u)" = 0 ] || exit 0

JPBPF=${JPBPF:-build/jpbpf}
work=$(mktemp -d)
target=
trap '[ -z "$target" ] || kill "$target" 2>/dev/null; rm -rf "$work"' EXIT
"${TCLSH:-tclsh8.6}" "$here/../programs/spin_lines.tcl" "$work/table" 30 &
target=$!
tries=0
until [ -s "$work/table" ] || [ $tries -ge 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
"$JPBPF" -q -p $target -F 999 -d 4 -U --lines -o "$work/folded" || exit 1

# Of each proc: samples on its lines, without a line, on other lines.
awk '
NR == FNR { first[$1] = $2; last[$1] = $3; next }
{
	count = $0
	sub(/.* /, "", count)
	if (!match($0, /;(numbers|texts|lists|dicts)( \([^;]*\))?[; ]/))
		next
	frame = substr($0, RSTART + 1, RLENGTH - 2)
	name = frame
	sub(/ .*/, "", name)
	line = 0
	if (match(frame, /[:][0-9]+\)$/))
		line = substr(frame, RSTART + 1, RLENGTH - 2) + 0
	# The body is line 1 of a proc that was made at run time.
	if (frame ~ /\(proc:/)
		line += first[name] - 2
	taken[name] += count
	if (line == 0)
		none[name] += count
	else if (line < first[name] || line > last[name])
		wrong[name] += count
}
END {
	for (name in first) {
		good = taken[name] - wrong[name] - none[name]
		verdict = "ok"
		if (taken[name] < 100 || wrong[name] || good < taken[name] * 0.75)
			verdict = "not ok"
		printf("%s - %s: %d of %d samples on its lines, %d on none\n",
			verdict, name, good, taken[name], none[name])
	}
}' "$work/table" "$work/folded"
