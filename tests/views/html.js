// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// The flame graph in Chromium, by value: html.js FOLDER, where test_html.sh has put pages.
// What each sum must be is counted from make_profile.c's rows.
"use strict";
const { open } = require("./chromium.js");
const assert = require("assert");

const folder = process.argv[2];
const at = name => `file://${folder}/${name}.html`;
let page, now;	// now: the page's name

async function test(what, check) {
	const before = page ? page.errors.length : 0;
	try {
		await check();
		assert.deepStrictEqual(page.errors.slice(before), []);
		console.log(`ok - html: ${what}`);
	} catch (e) {
		console.log(`not ok - html: ${what}`);
		console.log(String(e.stack).replace(/^/gm, "#   "));
		process.exitCode = 1;
	}
}

// Go to a page with a state in its address.
async function visit(name, state = {}) {
	const hash = new URLSearchParams();
	for (const key in state)
		hash.set(key, typeof state[key] === "string" ? state[key] : JSON.stringify(state[key]));
	if (now === name) {
		await page.run(`new Promise(done => {
			const hash = ${JSON.stringify("#" + hash)};
			if ((location.hash || "#") === hash)
				return done();
			addEventListener("hashchange", done, { once: true });
			location.hash = hash;
		})`);
	} else {
		await page.go(at(name) + "#" + hash);
		now = name;
	}
	await page.run("flame.ready");
}

// Of the first tree's root: { label: [number, of B] } of its children.
const kids = (tree, id) => page.run(`(t => Object.fromEntries(t.kids(${id}).map(k =>
	[flame.names[t.name[k]].label, t.under.map(c => c[k])])))(flame.trees[${tree}])`);
const flat = list => Object.fromEntries(Object.entries(list).map(([k, v]) => [k, v[0]]));
const total = () => page.run("flame.trees[0].under[0][0]");
const state = () => page.run("flame.S");
const text = id => page.run(`document.getElementById(${JSON.stringify(id)}).textContent`);
// Where a box is in the window; the middle of it.
const box = label => page.run(`(() => {
	const view = document.getElementById("graph").getBoundingClientRect();
	for (const [r, row] of flame.rows.entries())
		for (const [k, id] of row.id.entries())
			if (id > 0 && flame.names[row.tree.name[id]].label === ${JSON.stringify(label)})
				return { x: view.x + row.x[k] + row.w[k] / 2, w: row.w[k], all: view.width,
					y: (flame.S.i ? view.bottom - (r + 0.5) * 18 : view.y + (r + 0.5) * 18) };
})()`);
// { label: [in, under] } of the table, both in A or B.
const table = side => page.run(`Object.fromEntries(flame.tableRows().map(r =>
	[r.n.label, [r.in[${side}], r.under[${side}]]]))`);

async function sums() {
	await test("the tree", async () => {
		await visit("small");
		assert.strictEqual(await total(), 200);
		assert.deepStrictEqual(flat(await kids(0, 0)), { R: 72, "sh </script>": 14, wish: 86, worker: 28 });
		assert.strictEqual(await text("status"), "all · under: 2.00 s (100.0 %)");
	});
	await test("names are text", async () => {
		assert.deepStrictEqual(await page.run(`[document.scripts.length,
			document.querySelectorAll("b, i").length, document.title]`), [2, 0, "lab1 — flame graph"]);
		const rows = Object.keys(await table(0));
		for (const name of ["<b>bold</b>", "</script><script>alert(1)</script>", "bad\\xff\\xfe\\xc3(utf8",
			"say \"hi\" 'there' `x` ${y} \\x5cn", "\\x28proc:3) (<i>&amp\\x3b.tcl:3)", "[empty name]"])
			assert.ok(rows.includes(name), name);
		assert.match(await page.run(`document.querySelector("meta[http-equiv]").content`), /default-src 'none'/);
	});
	await test("search: a stack counts once", async () => {
		await visit("small", { q: "fib" });
		assert.strictEqual(await text("found"), "11.0 %");
		for (const key of ["/", "d", "r", "a", "w"])
			await page.key(key);
		assert.strictEqual(await text("found"), "53.0 %");
		await page.key("Enter");
		assert.match(await text("status"), /^draw \(main.tcl:40\) \(Tcl\) · under: 560 ms \(28.0 %\)/);
		await page.key("n");
		assert.match(await text("status"), /^draw \(main.tcl:44\)/);
		await visit("small", { q: "Draw" });
		assert.strictEqual(await text("found"), "0.0 %");
		await visit("small", { q: "(" });
		assert.strictEqual(await text("found"), "no regular expression");
	});
	await test("events and values", async () => {
		await visit("small", { e: 1 });
		assert.deepStrictEqual(flat(await kids(0, 0)), { R: 150, wish: 50 });
		assert.match(await text("status"), /200 faults/);
	});
	await test("table: in and under, sorted", async () => {
		await visit("small", { v: "table" });
		const rows = await table(0);
		assert.deepStrictEqual(rows["draw (main.tcl:40)"], [60, 76]);
		assert.deepStrictEqual(rows["fib (#3)"], [22, 22]);
		const first = () => page.run(`document.querySelector("tbody tr td:nth-last-child(2)").textContent`);
		assert.strictEqual(await first(), "draw (main.tcl:40)");
		await page.run(`document.querySelectorAll("th")[3].click()`);
		assert.strictEqual(await first(), "__libc_start_main (libc-start.c:381)");
		await page.run(`document.querySelectorAll("th")[5].click()`);
		assert.strictEqual(await first(), "::app::run (main.tcl:12)");
	});
}

async function views() {
	await test("zoom, and back", async () => {
		await visit("small");
		const from = await box("stats::optim");
		assert.strictEqual(Math.round(from.w / from.all * 1000), 200);
		await page.mouse("click", from.x, from.y);
		assert.strictEqual((await box("stats::optim")).w, from.all);
		assert.match(await text("status"), /^stats::optim \(R\) · under: 400 ms \(20.0 %\)$/);
		const address = await page.run("location.href"), z = (await state()).z;
		assert.strictEqual(z.length, 5);
		await page.key("Escape");
		assert.deepStrictEqual((await state()).z, []);
		await page.go("about:blank");
		await page.go(address);
		await page.run("flame.ready");
		assert.deepStrictEqual((await state()).z, z);
		assert.strictEqual((await box("stats::optim")).w, from.all);
	});
	await test("keys walk and zoom", async () => {
		await visit("small");
		for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "Enter"])
			await page.key(key);
		assert.match(await text("status"), /^__libc_start_main .* · under: 280 ms \(14.0 %\)/);
		assert.strictEqual((await state()).z.length, 3);
	});
	await test("inverted", async () => {
		await visit("small");
		await page.key("i");
		const all = await box("wish");
		await page.mouse("move", all.x, all.y);
		assert.match(await text("tip"), /^wish \(task\)\nunder: 860 ms \(43.0 %\)/);
		assert.ok(all.y > 600);
	});
	await test("leaf first", async () => {
		await visit("small");
		await page.key("r");
		const leaves = flat(await kids(0, 0));
		assert.strictEqual(Object.values(leaves).reduce((a, b) => a + b), 200);
		assert.strictEqual(leaves["draw (main.tcl:40)"], 60);
		assert.strictEqual(leaves["fib (#3)"], 22);
		const id = await page.run(`flame.trees[0].kids(0).find(k =>
			flame.names[flame.trees[0].name[k]].label === "fib (#3)")`);
		assert.deepStrictEqual(flat(await kids(0, id)), { "fib (#3)": 22 });
	});
	await test("callers and callees", async () => {
		await visit("small");
		const from = await box("draw (main.tcl:40)");
		await page.mouse("menu", from.x, from.y);
		await page.run(`document.querySelector("#menu button").click()`);
		assert.deepStrictEqual(flat(await kids(0, 0)), { "::app::run (main.tcl:12)": 76 });
		assert.deepStrictEqual(flat(await kids(1, 0)), { "LazyCompile:~render_[j]": 10, "do_syscall_64_[k]": 6 });
		assert.strictEqual((await state()).f, "Tdraw (main.tcl:40)");
		await visit("small", { v: "calls", f: "Rfib (#3)" });
		assert.strictEqual(await total(), 22);
	});
	await test("dark", async () => {
		await visit("small");
		await page.key("d");
		assert.strictEqual(await page.run("document.documentElement.className"), "dark");
		assert.match(await page.run("location.hash"), /d=dark/);
	});
}

async function transforms() {
	const rows = async (c, more) => {
		await visit("small", { c, ...more });
		return table(0);
	};
	await test("hide: what they did goes to callers", async () => {
		const all = await rows([["hide", "^fib"]]);
		assert.strictEqual(all["fib (#3)"], undefined);
		assert.deepStrictEqual(all["<anonymous model.R:12>"], [20, 25]);
		assert.strictEqual(await total(), 200);
		await page.run(`document.querySelector(".chip").click()`);
		assert.deepStrictEqual((await table(0))["fib (#3)"], [22, 22]);
		assert.strictEqual(await page.run("location.hash"), "");
	});
	await test("focus and drop", async () => {
		await rows([["focus", "fib"]]);
		assert.strictEqual(await total(), 22);
		await rows([["focus", "fib"], ["drop", "anonymous"]]);
		assert.strictEqual(await total(), 2);
		await rows([["drop", "."]]);
		assert.match(await text("none"), /^Nothing is left/);
	});
	await test("kinds", async () => {
		const all = await rows([["kind", "k"], ["kind", "."]]);
		assert.strictEqual(all["vfs_read_[k]"], undefined);
		assert.strictEqual(all["[Tcl interpreter]"], undefined);
		assert.deepStrictEqual(all["draw (main.tcl:40)"], [66, 76]);
	});
	await test("merged: recursion, lines, packages", async () => {
		const depth = () => page.run(`flame.rows.filter(row => row.id.some(id => id > 0 &&
			flame.names[row.tree.name[id]].label === "fib (#3)")).length`);
		await rows([]);
		assert.strictEqual(await depth(), 6);
		await rows([["merge", "recursion"]]);
		assert.strictEqual(await depth(), 2);
		assert.deepStrictEqual((await rows([["merge", "lines"]])).draw, [90, 106]);
		assert.deepStrictEqual((await rows([["merge", "packages"]]))["stats *"], [0, 40]);
		assert.deepStrictEqual((await rows([["merge", "stats"]]))["stats *"], [0, 40]);
	});
	await test("by process, by thread, all in one", async () => {
		await visit("small", { s: "process" });
		assert.deepStrictEqual(flat(await kids(0, 0)), { "100 wish main.tcl": 114,
			"200 /usr/lib/R/bin/exec/R --file=model.R": 72, "300 sh -c \"x\"": 14 });
		await visit("small", { s: "thread" });
		assert.deepStrictEqual(flat(await kids(0, 0)), { "100/100 wish": 86, "100/101 worker": 28,
			"200/200 R": 72, "300/300 sh </script>": 14 });
		await visit("small", { s: "none" });
		assert.strictEqual(flat(await kids(0, 0))["__libc_start_main (libc-start.c:381)"], 196);
	});
	await test("time: what was before 0.5 s", async () => {
		await visit("small");
		const { x, y, width } = await page.run(`document.getElementById("strip").getBoundingClientRect().toJSON()`);
		await page.mouse("drag", x, y + 10, x + width / 2 - 2, y + 10);
		assert.deepStrictEqual((await state()).w, [0, 99]);
		// Weight, from and to of the first event's rows.
		const taken = [[40, 0, 400], [30, 100, 900], [10, 500, 900], [6, 0, 900], [20, 200, 800], [8, 200, 800],
			[24, 0, 1000], [16, 0, 1000], [12, 600, 1000], [8, 600, 1000], [5, 600, 1000], [3, 0, 1000],
			[2, 0, 1000], [2, 0, 1000], [9, 300, 600], [5, 300, 600]];
		const before = taken.reduce((sum, [n, from, to]) => sum + [...Array(n).keys()].filter(i =>
			from + Math.floor((to - from) * i / n) < 500).length, 0);
		assert.strictEqual(await total(), before);
		assert.match(await text("chips"), /^time: 0.000–0.500 s/);
		await visit("untimed");
		assert.strictEqual(await page.run(`document.getElementById("strip").hidden`), true);
	});
}

async function diffs() {
	const of = label => page.run(`(() => {
		for (const row of flame.rows)
			for (const id of row.id)
				if (id > 0 && flame.names[row.tree.name[id]].label === ${JSON.stringify(label)})
					return flame.describe({ tree: row.tree, id }, "|");
	})()`);
	await test("diff: new, gone, more, chance", async () => {
		await visit("diff");
		assert.deepStrictEqual(await page.run("flame.trees[0].under.map(c => c[0])"), [200, 236]);
		assert.match(await of("<anonymous model.R:12>"), /\|under: 12.5 % → 27.5 % \(\+120.3 %\)/);
		assert.match(await of("sh </script>"), /\|under: 7.0 % → 5.9 % \(−15.3 %, may be chance\)/);
		assert.match(await of("vfs_read_[k]"), /\|under: 0.0 % → 4.2 % \(new\)/);
		assert.strictEqual(await of("coroutine reader"), undefined);
		assert.strictEqual(await text("chips"), "");
	});
	await test("diff: as wide as in A, or both", async () => {
		await visit("diff", { m: "A" });
		assert.match(await of("coroutine reader"), /\|under: 4.0 % → 0.0 % \(gone\)/);
		assert.strictEqual(Math.round(1000 * (await box("R")).w / (await box("R")).all), 360);
		await visit("diff", { m: "union" });
		assert.ok(await of("coroutine reader"));
		assert.strictEqual(Math.round(1000 * (await box("R")).w / (await box("R")).all),
			Math.round(500 * (72 / 200 + 116 / 236)));
		await visit("diff", { q: "fib" });
		assert.strictEqual(await text("found"), "11.0 % → 28.0 % (+154.2 %)");
	});
}

async function main() {
	page = await open("about:blank");
	await sums();
	await views();
	await transforms();
	await diffs();
	await test("an empty profile says so", async () => {
		await visit("empty");
		assert.strictEqual(await text("none"), "No samples: the profile is empty.");
		await visit("small", { e: 99, v: "x", c: [1], z: [7, "x"], w: [5], by: [99], m: "Q" });
		assert.strictEqual(await total(), 200);
	});
	await page.close();
}

main();
