// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// The profile, and the trees that are shown of it.
//
// The file's tree (`whole`) is columns of numbers, in pre-order; its nodes are names as the
// profile has them.  What is shown is another tree, which is made only as far as someone looks
// at it: each of its nodes stands for a set of the file's.  `shown` says what name a name is
// shown as, or that it is not.
"use strict";

const $ = id => document.getElementById(id);
let head, bytes;	// what the file holds
let sides;

async function unpack() {
	const text = atob($("data").textContent), packed = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		packed[i] = text.charCodeAt(i);
	const stream = new Blob([packed]).stream()
		.pipeThrough(new DecompressionStream("deflate"));
	bytes = new Uint8Array(await new Response(stream).arrayBuffer());
	const end = bytes.length - 4, from = new DataView(bytes.buffer).getUint32(end, true);
	head = JSON.parse(new TextDecoder().decode(bytes.subarray(from, end)));
	sides = head.sides;
	for (const title of head.walkers)
		kinds[title[0]] = title;
	head.names.forEach(addFileName);
}

// ---- names -------------------------------------------------------------------
const names = [];		// { kind, text, place, label, ... } by number
const byText = new Map();	// those that are not the file's own
const kinds = { C: "native", i: "inlined", j: "made at run time", k: "kernel",
	".": "interpreter", "!": "remark", " ": "task" };
const base = path => path.slice(path.lastIndexOf("/") + 1);

function addFileName([text, kind, space, module, file, line]) {
	const place = kind === " " ? "" : file ? ` (${base(file)}:${line})`
		: line ? ` (#${line})` : "";
	names.push({ text, kind, space, module, file, line, label: text + place,
		group: space || module && "[" + base(module).replace(/^\[|\]$/g, "") + "]" });
}

// A name that is not in the file: several that are shown as one.
function sharedName(kind, text, like) {
	const key = kind + text;
	if (!byText.has(key))
		byText.set(key, names.push({ ...like, kind, text, label: text, file: "", line: 0 }) - 1);
	return byText.get(key);
}

const kindOf = n => kinds[n.kind] || n.kind;
const compareNames = (a, b) => names[a].label < names[b].label ? -1
	: names[a].label > names[b].label ? 1 : a - b;

// Case matters if there is a capital; null: no regular expression.
function pattern(text) {
	try {
		return new RegExp(text, /[A-Z]/.test(text.replace(/\\./g, "")) ? "" : "i");
	} catch {
		return null;
	}
}
const exactly = n => "^" + n.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "(?= \\(|$)";

// ---- the file's tree ---------------------------------------------------------
function readEvent(e) {
	if (e.tree)
		return e.tree;
	let at = e.at;
	const next = () => {
		let v = 0, unit = 1;
		for (; bytes[at] > 127; unit *= 128)
			v += (bytes[at++] & 127) * unit;
		return v + bytes[at++] * unit;
	};
	const n = e.nodes, parent = new Int32Array(n), name = new Int32Array(n);
	const end = new Int32Array(n), own = [];
	parent[0] = name[0] = -1;
	for (let i = 1; i < n; i++) {
		parent[i] = i - 1;
		for (let up = next(); up; up--)
			parent[i] = parent[parent[i]];
	}
	for (let i = 1; i < n; i++)
		name[i] = next();
	for (let s = 0; s < sides; s++) {
		own[s] = new Float64Array(n);
		for (let i = 0; i < n; i++)
			own[s][i] = next();
	}
	for (let i = n - 1; i >= 0; i--) {
		end[i] ||= i + 1;
		if (i)
			end[parent[i]] ||= end[i];
	}
	const times = { part: new Uint8Array(e.times), node: new Int32Array(e.times),
		number: new Float64Array(e.times) };
	for (let i = 0, part = 0; i < e.times; i++) {
		times.part[i] = part += next();
		times.node[i] = next();
		times.number[i] = next();
	}
	return e.tree = { n, parent, name, end, own, times };
}

let whole;	// the tree of the event that is chosen
let shown;	// name of the file → name shown, or -1
let merged;	// name shown → 1: one that calls itself is one
let own, under;	// per side, of the file's nodes: what is counted

const chips = type => S.c.filter(c => c[0] === type).map(c => c[1]);
const patterns = type => chips(type).map(pattern).filter(re => re);

function taskName(n) {
	const pid = n.file || n.line, text = S.s === "process" && pid ? `${pid} ${n.space || n.text}`
		: S.s === "thread" && pid ? `${pid}/${n.line} ${n.text}` : n.text;
	return S.s === "none" ? -1 : sharedName(" ", text, n);
}

function nameShown(n, id, how) {
	if (n.kind === " ")
		return taskName(n);
	if (how.kinds.includes(n.kind) || how.hidden.some(re => re.test(n.label)))
		return -1;
	if (n.group && (how.merge.includes("packages") || how.merge.includes(n.group)))
		return sharedName(n.kind, n.group + " *", n);
	return n.line && how.merge.includes("lines") ? sharedName(n.kind, n.text, n) : id;
}

function chooseNames() {
	const how = { kinds: chips("kind"), merge: chips("merge"), hidden: patterns("hide") };
	shown = Int32Array.from(head.names, (_, i) => nameShown(names[i], i, how));
	merged = names.map(n => how.merge.includes("recursion") || n.label.endsWith(" *"));
}

// Which stacks are counted: bits of what is on the way to each node.
function keptStacks() {
	const focus = patterns("focus"), drop = patterns("drop");
	if (!focus.length && !drop.length)
		return null;
	const bits = head.names.map((_, i) => {
		const is = re => re.test(names[i].label) || shown[i] >= 0 && re.test(names[shown[i]].label);
		return focus.reduce((sum, re, k) => sum | is(re) << k, drop.some(is) << 30);
	});
	const way = new Int32Array(whole.n), all = (1 << focus.length) - 1;
	for (let i = 1; i < whole.n; i++)
		way[i] = way[whole.parent[i]] | bits[whole.name[i]];
	return i => way[i] === all;
}

function countWindow([first, last]) {
	const { part, node, number } = whole.times, sum = new Float64Array(whole.n);
	node.forEach((at, i) => sum[at] += part[i] >= first && part[i] <= last ? number[i] : 0);
	return [sum];
}

// After any change of what is counted or how it is called.
function recount() {
	whole = readEvent(head.events[S.e]);
	chooseNames();
	const kept = keptStacks();
	own = S.w.length ? countWindow(S.w) : whole.own;
	if (kept)
		own = own.map(column => column.map((v, i) => kept(i) ? v : 0));
	under = own.map(column => {
		const sum = column.slice();
		for (let i = whole.n - 1; i > 0; i--)
			sum[whole.parent[i]] += sum[i];
		return sum;
	});
}

// ---- the trees that are shown ------------------------------------------------
// up: the children are callers.  A node of it also has the node of the file where each of its
// stacks ends, which says how much it is.
class Tree {
	constructor(name, up, at, last, count) {
		Object.assign(this, { up, count, name: [], parent: [], at: [], last: [], children: [],
			under: count.map(() => []) });
		this.add(name, -1, at, last);
		count.forEach((column, s) => last.forEach(i => this.under[s][0] += column[i]));
	}
	add(name, parent, at, last) {
		this.under.forEach(column => column.push(0));
		this.parent.push(parent);
		this.at.push(at);
		this.last.push(last);
		return this.name.push(name) - 1;
	}
	put(found, name, parent, at, last) {
		let id = found.get(name);
		if (id === undefined)
			found.set(name, id = this.add(name, parent, [], []));
		this.at[id].push(at);
		if (this.up)
			this.last[id].push(last);
		for (let s = 0; s < sides; s++)
			this.under[s][id] += this.count[s][last];
	}
	callees(id, found) {
		const mine = this.name[id], left = this.at[id].slice(), { end, name } = whole;
		while (left.length) {
			const from = left.pop();
			for (let i = from + 1; i < end[from]; i = end[i]) {
				const is = shown[name[i]];
				if (is < 0 || is === mine && merged[is])
					left.push(i);
				else if (under[0][i] || sides > 1 && under[1][i])
					this.put(found, is, id, i, i);
			}
		}
	}
	callers(id, found) {
		const mine = this.name[id], { parent, name } = whole;
		this.at[id].forEach((i, k) => {
			// The root of all stands where they end.
			if (mine >= 0)
				i = parent[i];
			while (i > 0 && (shown[name[i]] < 0 || shown[name[i]] === mine && merged[mine]))
				i = parent[i];
			if (i > 0)
				this.put(found, shown[name[i]], id, i, this.last[id][k]);
		});
	}
	kids(id) {
		if (!this.children[id]) {
			const found = new Map();
			this.up ? this.callers(id, found) : this.callees(id, found);
			this.children[id] = [...found.values()].sort((a, b) => S.o && widthOf(this, b) -
				widthOf(this, a) || compareNames(this.name[a], this.name[b]));
		}
		return this.children[id];
	}
	// What ended in the node itself.
	self(id, side) {
		return this.kids(id).reduce((v, kid) => v - this.under[side][kid],
			this.under[side][id]);
	}
	path(id) {
		const names = [];
		for (; id > 0; id = this.parent[id])
			names.unshift(this.name[id]);
		return names;
	}
	// The node that a path leads to, as far as it goes; names that are not there are
	// passed over.
	find(path) {
		return path.reduce((id, name) =>
			this.kids(id).find(kid => this.name[kid] === name) ?? id, 0);
	}
}

function leafTree() {
	const at = [];
	for (let i = 0; i < whole.n; i++)
		if (own[0][i] || sides > 1 && own[1][i])
			at.push(i);
	return new Tree(-1, true, at, at, own);
}

// The outermost nodes of that name: a stack counts once.
function nodesNamed(id) {
	const at = [];
	for (let i = 1; i < whole.n;) {
		const is = shown[whole.name[i]] === id;
		if (is)
			at.push(i);
		i = is ? whole.end[i] : i + 1;
	}
	return at;
}

// ---- numbers -----------------------------------------------------------------
// For each name shown: in it, and under it, on each side.
function flatten() {
	const inside = own.map(() => new Float64Array(names.length));
	const beneath = own.map(() => new Float64Array(names.length));
	const on = new Int32Array(names.length), way = [0], { parent, name, n } = whole;
	const nearest = new Int32Array(n).fill(-1);
	for (let i = 1; i < n; i++) {
		while (way[way.length - 1] !== parent[i]) {
			const left = shown[name[way.pop()]];
			if (left >= 0)
				on[left]--;
		}
		way.push(i);
		const is = shown[name[i]];
		nearest[i] = is < 0 ? nearest[parent[i]] : is;
		for (let s = 0; s < sides; s++) {
			if (nearest[i] >= 0)
				inside[s][nearest[i]] += own[s][i];
			if (is >= 0 && !on[is])
				beneath[s][is] += under[s][i];
		}
		if (is >= 0)
			on[is]++;
	}
	return { inside, beneath };
}

// What is in or under a name that matches; a stack counts once.
function shareOf(re) {
	const hit = names.map(n => re.test(n.label)), sum = own.map(() => 0);
	const { n, name, end } = whole;
	for (let i = 1; i < n;) {
		const is = shown[name[i]] >= 0 && hit[shown[name[i]]];
		for (let s = 0; is && s < sides; s++)
			sum[s] += under[s][i];
		i = is ? end[i] : i + 1;
	}
	return { hit, sum };
}

const event = () => head.events[S.e];
const sumOf = column => column.reduce((sum, v) => sum + v, 0);
const all = side => (whole.all ||= whole.own.map(sumOf))[side];
const total = side => under[side][0];
const share = (v, side) => total(side) ? v / total(side) : 0;

// Whether chance may have made the difference: two shares of so many samples.
function isNoise(values) {
	const n = event().samples.map((count, s) => all(s) ? count * total(s) / all(s) : 0);
	if (!n[0] || !n[1])
		return false;
	const p = values.map(share), both = (p[0] * n[0] + p[1] * n[1]) / (n[0] + n[1]);
	return (p[0] - p[1]) ** 2 <= 4 * both * (1 - both) * (1 / n[0] + 1 / n[1]);
}

// How wide a node is, in parts of its side's total.
function widthOf(tree, id) {
	const part = side => share(tree.under[side][id], side);
	return sides < 2 ? part(0) : S.m === "union" ? (part(0) + part(1)) / 2 : part(S.m === "A" ? 0 : 1);
}

const spaced = n => n.toLocaleString("en").replace(/,/g, "\u202f");

function amount(v) {
	const { unit, interval } = event();
	const s = v * (interval || 1) / 1e9;
	if (interval || unit === "nanoseconds")
		return s >= 1 ? s.toFixed(s < 100 ? 2 : 0) + " s" : +(s * 1e3).toPrecision(3) + " ms";
	if (unit === "bytes")
		return v < 1 << 20 ? (v / 1024).toFixed(1) + " KiB" : (v / (1 << 20)).toFixed(1) + " MiB";
	return spaced(v) + " " + (unit || "samples");
}

const percent = part => (100 * part).toFixed(part && part < 0.001 ? 3 : 1) + " %";

// "A → B (change)"
function changeText(values, chance = ", may be chance") {
	const [a, b] = values.map(share);
	const how = a === b ? "the same" : !a ? "new" : !b ? "gone" : b > 10 * a ? "× " + (b / a).toFixed(0)
		: (b < a ? "−" : "+") + Math.abs(100 * (b / a - 1)).toFixed(1) + " %";
	return `${percent(a)} → ${percent(b)} (${how}${a !== b && isNoise(values) ? chance : ""})`;
}
