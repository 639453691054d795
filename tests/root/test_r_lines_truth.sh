#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Every stack of the ground-truth program "rlines" must be exact, with the source
# line of each R frame; see tests/root/truth.  And a function that runs must be on a
# line of its own, but for the moments in which it is entered or left: then on none.
here=$(cd "$(dirname "$0")" && pwd)
"$here/truth" rlines "$@" || exit 1
[ "$(id -u)" = 0 ] || exit 0

JPBPF=${JPBPF:-build/jpbpf}
command -v "${RSCRIPT:-Rscript}" >/dev/null || exit 0
work=$(mktemp -d)
target=
trap '[ -z "$target" ] || kill "$target" 2>/dev/null; rm -rf "$work"' EXIT
export TMPDIR="$work"
"${RSCRIPT:-Rscript}" --vanilla "$here/../programs/spin_lines.R" \
	"$work/table" 30 &
target=$!
tries=0
until [ -s "$work/table" ] || [ $tries -ge 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
"$JPBPF" -q -p $target -F 999 -d 5 -U --lines -o "$work/folded" || exit 1
[ -z "${KEEP:-}" ] || cp "$work/folded" "$work/table" "$KEEP"

# Of each function: samples on its lines, without a line, on other lines.
awk '
NR == FNR { first[$1] = $2; last[$1] = $3; next }
{
	count = $0
	sub(/.* /, "", count)
	# The innermost of them.
	frame = ""
	rest = $0
	while (match(rest, /;(numbers|texts|vectors|called|calls)c?( \([^;]*\))?[; ]/)) {
		frame = substr(rest, RSTART + 1, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH - 1)
	}
	if (frame == "")
		next
	name = frame
	sub(/ .*/, "", name)
	line = 0
	if (match(frame, /[:][0-9]+\)$/))
		line = substr(frame, RSTART + 1, RLENGTH - 2) + 0
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
		if (taken[name] < 50 || wrong[name] || good < taken[name] * 0.9)
			verdict = "not ok"
		printf("%s - %s: %d of %d samples on its lines, %d on none\n",
			verdict, name, good, taken[name], none[name])
	}
}' "$work/table" "$work/folded"
