// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// What the Firefox profiler's own command line reads in a profile:
//
//   firefox.js CLI FILE [EVENT]
//
// a line "in under name" for each function, summed over the threads whose names end in
// "(EVENT)"; then the threads and what they are marked with.
'use strict';
const { execFileSync } = require('child_process');
const [cli, file, event] = process.argv.slice(2);
const ask = (...words) => execFileSync(process.execPath, [cli, ...words],
	{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
const json = (...words) => JSON.parse(ask(...words, '--json'));

// It gives up when its own daemon has not begun within half a second.
for (let tries = 10; ; tries--)
	try {
		ask('load', file);
		break;
	} catch (e) {
		if (!tries)
			throw e;
		ask('stop', '--all');
	}
try {
	const threads = json('thread', 'list').threads;
	const sums = new Map();
	for (const t of threads) {
		if (event && !t.name.endsWith(` (${event})`))
			continue;
		for (const f of json('thread', 'functions', '--thread', t.threadHandle).functions) {
			const s = sums.get(f.name) || [0, 0];
			s[0] += f.selfSamples;
			s[1] += f.totalSamples;
			sums.set(f.name, s);
		}
	}
	for (const [name, s] of sums)
		console.log(`${s[0]} ${s[1]} ${name}`);
	for (const t of threads) {
		console.log(`thread ${t.name} | ${t.processName} | ${t.pid}`);
		for (const g of json('thread', 'markers', '--thread', t.threadHandle).byType)
			for (const m of g.topMarkers)
				console.log(`marker ${g.markerName}: ${m.label} at ${m.start}`);
	}
} finally {
	ask('stop', '--all');
}
