// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// Debian's Chromium, without a window, told what to do over a pipe.  It needs Node.js and
// nothing of npm's.
//
//   const page = await open("file:///tmp/a.html", { width: 1280, height: 800, dark: false });
//   await page.run("document.title");	// the value of an expression; promises are waited for
//   await page.key("Enter");
//   await page.mouse("click", x, y);	// move, click, menu, or a drag: x, y, toX, toY
//   await page.shot("a.png");
//   page.errors			// what the console and exceptions said
//   page.close();
"use strict";
const { spawn } = require("child_process");
const fs = require("fs"), os = require("os"), path = require("path");

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--disable-dev-shm-usage", "--remote-debugging-pipe", "--hide-scrollbars"];
const codes = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

// Messages end in a NUL.
function connect(child) {
	const waiting = new Map(), listeners = [];
	let number = 0, rest = Buffer.alloc(0);
	child.stdio[4].on("data", piece => {
		rest = Buffer.concat([rest, piece]);
		for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
			const message = JSON.parse(rest.subarray(0, end));
			const wait = waiting.get(message.id);
			waiting.delete(message.id);
			if (!wait)
				listeners.forEach(f => f(message));
			else if (message.error)
				wait.fail(new Error(message.error.message));
			else
				wait.done(message.result);
		}
	});
	const send = (method, params = {}, sessionId) => new Promise((done, fail) => {
		waiting.set(++number, { done, fail });
		child.stdio[3].write(JSON.stringify({ id: number, method, params, sessionId }) + "\0");
	});
	return { send, listen: f => listeners.push(f) };
}

async function open(url, { width = 1280, height = 800, dark = false } = {}) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "chromium-"));
	const child = spawn("chromium", [...flags, `--user-data-dir=${folder}`, `--window-size=${width},${height}`,
		"about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true,
		env: { ...process.env, HOME: folder } });
	const { send, listen } = connect(child), errors = [];
	const { targetInfos } = await send("Target.getTargets");
	const { sessionId } = await send("Target.attachToTarget", { flatten: true,
		targetId: targetInfos.find(t => t.type === "page").targetId });
	const tell = (method, params) => send(method, params, sessionId);
	let loaded = () => {};
	listen(({ method, params }) => {
		if (method === "Runtime.exceptionThrown")
			errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
		else if (method === "Runtime.consoleAPICalled" && /error|warning|assert/.test(params.type))
			errors.push(params.args.map(a => a.value || a.description).join(" "));
		else if (method === "Log.entryAdded" && params.entry.level === "error")
			errors.push(params.entry.text);
		else if (method === "Page.loadEventFired")
			loaded();
	});
	for (const what of ["Runtime", "Log", "Page"])
		await tell(what + ".enable");
	await tell("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
	await tell("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme",
		value: dark ? "dark" : "light" }] });
	const go = async where => {
		const done = new Promise(f => loaded = f);
		await tell("Page.navigate", { url: where });
		await done;
	};
	const mouse = (type, x, y, more) => tell("Input.dispatchMouseEvent",
		{ type, x, y, button: "left", clickCount: 1, ...more });
	await go(url);
	return {
		errors, go, send: tell,
		async run(expression) {
			const { result, exceptionDetails } = await tell("Runtime.evaluate",
				{ expression, awaitPromise: true, returnByValue: true });
			if (exceptionDetails)
				throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
			return result.value;
		},
		async key(key) {
			const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
			const of = { key, text, windowsVirtualKeyCode: codes[key] || key.toUpperCase().charCodeAt(0) };
			await tell("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...of });
			await tell("Input.dispatchKeyEvent", { type: "keyUp", ...of, text: undefined });
		},
		async mouse(what, x, y, toX, toY) {
			await mouse("mouseMoved", x, y, { button: "none" });
			if (what === "move")
				return;
			const button = what === "menu" ? "right" : "left";
			await mouse("mousePressed", x, y, { button });
			if (what === "drag")
				await mouse("mouseMoved", toX, toY, { buttons: 1 });
			await mouse("mouseReleased", toX ?? x, toY ?? y, { button });
		},
		async shot(file) {
			const { data } = await tell("Page.captureScreenshot", { format: "png" });
			fs.writeFileSync(file, Buffer.from(data, "base64"));
		},
		async close() {
			await send("Browser.close").catch(() => {});
			await new Promise(done => child.exitCode === null ? child.on("exit", done) : done());
			fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

module.exports = { open };
