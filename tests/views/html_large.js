// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// Large flame graphs in Chromium: html_large.js FOLDER, where tests/soak/test_html.sh has put
// them.  How long things take is said, and limited.
"use strict";
const { open } = require("./chromium.js");
const assert = require("assert");
const folder = process.argv[2];

async function test(page, what, check) {
	try {
		const note = await check();
		assert.deepStrictEqual(page.errors, []);
		console.log(`ok - html: ${what}${note ? ": " + note : ""}`);
	} catch (e) {
		console.log(`not ok - html: ${what}`);
		console.log(String(e.stack).replace(/^/gm, "#   "));
	}
}

// Milliseconds that a change of state takes, to the end of the layout.
const time = (page, change, what) => page.run(`(() => {
	const begin = performance.now();
	Object.assign(flame.S, ${JSON.stringify(change)});
	flame.show("${what}");
	return Math.round(performance.now() - begin);
})()`);

async function large() {
	const page = await open(`file://${folder}/large.html`);
	await page.run("flame.ready");
	const opened = Math.round(await page.run("performance.now()"));
	await test(page, "100,000 stacks open in 2 s", async () => {
		assert.ok(await page.run("whole.n") > 3e6);
		assert.strictEqual(await page.run("flame.trees[0].under[0][0]"),
			await page.run("event().samples[0]"));
		assert.ok(opened < 2000, `${opened} ms`);
		return `${opened} ms`;
	});
	for (const [name, change, what] of [["leaf first", { v: "leaf" }, "tree"], ["table", { v: "table" }, "tree"],
		["search", { v: "flame", q: "tion_12" }, "look"], ["hide", { q: "", c: [["hide", "tion_1"]] }, "count"],
		["focus", { c: [["focus", "_77"]] }, "count"], ["merge recursion", { c: [["merge", "recursion"]] }, "count"],
		["half the time", { c: [], w: [0, 99] }, "count"], ["by thread", { w: [], s: "thread" }, "count"]])
		await test(page, `large: ${name} in 2 s`, async () => {
			const took = await time(page, change, what);
			assert.ok(took < 2000, `${took} ms`);
			return `${took} ms`;
		});
	await page.close();
}

async function deep() {
	const page = await open(`file://${folder}/deep.html`);
	await page.run("flame.ready");
	await test(page, "5,000 frames deep: walk, scroll, zoom", async () => {
		assert.strictEqual(await page.run("flame.rows.length"), 5002);
		assert.strictEqual(await page.run(`document.getElementById("map").hidden`), false);
		assert.ok(await page.run(`document.getElementById("graph").height`) < 1000);
		await page.key("ArrowDown");
		const begin = Date.now();
		await page.run("for (let i = 0; i < 1000; i++) keys.ArrowDown()");
		const z = await page.run("flame.trees[0].path(selected.id).length");
		assert.strictEqual(z, 1001);
		await page.run("keys.End()");
		assert.strictEqual(await page.run("flame.scroll"), await page.run("longest()"));
		await page.run("flame.zoomTo({ tree: flame.trees[0], id: flame.rows.at(-1).id[0] })");
		assert.ok(await page.run("flame.scroll") > 5000 * 18 - 1000);
		assert.strictEqual(await page.run("flame.S.z.length"), 5002);
		const took = Date.now() - begin;
		assert.ok(took < 3000, `${took} ms`);
		return `${took} ms`;
	});
	await test(page, "5,000 frames deep: a link comes back to the same box", async () => {
		const address = await page.run("location.href");
		await page.go("about:blank");
		await page.go(address);
		await page.run("flame.ready");
		assert.strictEqual(await page.run("flame.S.z.length"), 5002);
		assert.strictEqual(await page.run("flame.trees[0].path(flame.zoom.id).length"), 5001);
	});
	for (const [name, change, rows] of [["leaf first", { v: "leaf", z: [] }, 5002], ["inverted", { v: "flame", i: true }, 5002],
		["merge recursion", { c: [["merge", "recursion"]] }, 202]])
		await test(page, `5,000 frames deep: ${name}`, async () => {
			const took = await time(page, change, "count");
			assert.strictEqual(await page.run("flame.rows.length"), rows);
			assert.ok(took < 1000, `${took} ms`);
			return `${took} ms`;
		});
	await page.close();
}

large().then(deep);
