#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f folded, read by flamegraph.pl; -f jsonl, added up by a program of a few lines.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/reader.sh"
need perl node
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
"$make_profile" folded >a.folded
"$make_profile" jsonl >a.jsonl

if [ -e "$flamegraph" ]; then
	perl "$flamegraph" a.folded >a.svg 2>/dev/null
	same 'flamegraph.pl: all samples' "$(awk '{ n += $NF } END { print n }' a.folded)" \
		"$(sed -n 's/.*<title>all (\([0-9,]*\) samples.*/\1/p' a.svg | tr -d ,)"
	same 'flamegraph.pl: a function' 1 "$(grep -c '<title>::app::run ' a.svg | sed 's/^[1-9].*/1/')"
fi

cat >add.js <<'END'
const lines = require('fs').readFileSync('a.jsonl', 'utf8').trim().split('\n').map(JSON.parse);
const event = process.argv[2], sums = {};
for (const s of lines.filter(l => l.type === 'sample' && l.event === event)) {
	const names = s.frames.map(f => f.name.replace(/_\[i\]$/, ''));
	for (const n of new Set(names))
		(sums[n] ||= [0, 0])[1] += s.weight;
	if (names.length)
		(sums[names.at(-1)] ||= [0, 0])[0] += s.weight;
}
for (const [n, s] of Object.entries(sums))
	console.log(s[0], s[1], n);
END
same 'jsonl: samples in and under each function' \
	"$(by_function <a.folded | LC_ALL=C sort -k 3)" \
	"$(node add.js cpu-clock | LC_ALL=C sort -k 3)"
same 'jsonl: page faults' 200 "$(node add.js page-faults | awk '{ n += $1 } END { print n }')"
same 'jsonl: kinds of lines' 'end head loss mark sample' \
	"$(node -e 'const l = require("fs").readFileSync("a.jsonl", "utf8").trim().split("\n");
		console.log([...new Set(l.map(x => JSON.parse(x).type))].sort().join(" "))')"
refuses jsonl
exit $failed
