// ---- state -------------------------------------------------------------------
// All that a link reproduces, by the keys that it has in the address.
const usual = {
	// Number of the event; view; of which function: its kind's character and label.
	e: 0, v: "flame", f: "",
	// Inverted; wide ones first; "dark" or "light", or as the browser.
	i: false, o: false, d: "",
	// What is searched for; what stacks are split by; whose total is the width.
	q: "", s: "command", m: "B",
	// Chips: [type, value]; parts of the time: first, last.
	c: [], w: [],
	// Zoom: number of the tree, names from the root; table: column, whether it ascends.
	z: [], by: [],
};
const S = structuredClone(usual);
const choices = { v: ["flame", "leaf", "calls", "table"], m: ["A", "B", "union"],
	s: ["command", "process", "thread", "none"], d: ["", "dark", "light"] };

const alike = (a, b) => JSON.stringify(a) === JSON.stringify(b);
// Names of the file by number, others by kind and text.
const nameKey = id => id < head.names.length ? id : names[id].kind + names[id].text;
const nameOf = key => typeof key === "number" ? key : byText.get(key) ?? -2;

function saveState() {
	const changed = Object.keys(usual).filter(key => !alike(S[key], usual[key]));
	const hash = changed.map(key => [key, typeof S[key] === "string" ? S[key] : JSON.stringify(S[key])]);
	try {
		history.replaceState(null, "", "#" + new URLSearchParams(hash));
	} catch {
		// Too often or too long: only the link does not follow.
	}
}

function isSound(key, v) {
	if (key === "e")
		return v in head.events;
	if (key === "c")
		return v.every(c => c.length === 2 && c.every(text => typeof text === "string"));
	if (key === "w")
		return event().times && v.length === 2 && v[0] >= 0 && v[1] < head.parts;
	return !choices[key] || choices[key].includes(v);
}

function restoreState() {
	const hash = new URLSearchParams(location.hash.slice(1));
	for (const key in usual) {
		S[key] = structuredClone(usual[key]);
		try {
			const v = typeof usual[key] === "string" ? hash.get(key) : JSON.parse(hash.get(key));
			if (v !== null && v.constructor === usual[key].constructor && isSound(key, v))
				S[key] = v;
		} catch {
			// Not ours: as usual.
		}
	}
}

// ---- from state to what is shown ---------------------------------------------
// what: "count" after a change of what is counted, "tree" of the view, "look" of the rest.
function show(what) {
	if (what === "count")
		recount();
	if (what !== "look")
		buildTrees();
	find();
	night = document.documentElement.classList.toggle("dark", dark());
	showControls();
	const table = S.v === "table", empty = !under.some(column => column[0]);
	$("table").hidden = !table || empty;
	graph.hidden = table || empty;
	$("none").hidden = !empty;
	$("none").textContent = head.events.some(e => e.nodes > 1)
		? "Nothing is left: remove a filter above." : "No samples: the profile is empty.";
	drawStrip();
	map.hidden = true;
	if (!empty)
		table ? showTable() : layOut();
	saveState();
}

function change(key, value, what) {
	S[key] = value;
	show(what);
}

function buildTrees() {
	const f = S.v !== "calls" ? -1 : names.findIndex((n, id) => n.kind + n.label === S.f &&
		(id >= head.names.length || shown[id] === id));
	const at = f < 0 ? null : nodesNamed(f);
	trees = at ? [new Tree(f, true, at, at, under), new Tree(f, false, at, at, under)]
		: [S.v === "leaf" ? leafTree() : new Tree(-1, false, [0], [0], under)];
	const tree = trees[S.z[0]] || trees.at(-1);
	zoom = { tree, id: tree.find(S.z.slice(1).map(nameOf)) };
	selected = hovered = null;
}

function zoomTo(node) {
	zoom = node;
	S.z = node.id ? [trees.indexOf(node.tree), ...node.tree.path(node.id).map(nameKey)] : [];
	layOut();
	select(node);
	saveState();
}

// Zoom out; from callers and callees back to the flame graph.
function reset() {
	if (!S.z.length && S.v !== "leaf")
		S.v = "flame";
	change("z", [], "tree");
	tell(zoom);
}

function callsOf(name) {
	Object.assign(S, { z: [], f: names[name].kind + names[name].label, v: "calls" });
	show("tree");
	scrollTo((rows.findIndex(row => row.tree === trees[1]) + 1) * ROW - graph.clientHeight / 2);
	tell(zoom);
}

function view(v) {
	if (v === "calls") {
		const node = selected || zoom, name = node.tree.name[node.id];
		return name < 0 ? tell(null, "Select a function first.") : callsOf(name);
	}
	S.z = [];
	change("v", v === S.v ? "flame" : v, "tree");
	if (S.v !== "table")
		tell(zoom);
}

function toggleChip(...chip) {
	const others = S.c.filter(c => !alike(c, chip));
	change("c", others.length < S.c.length ? others : [...S.c, chip], "count");
	tell(zoom);
}

// ---- search ------------------------------------------------------------------
function find() {
	const re = S.q ? pattern(S.q) : null;
	search = { re, hit: [], sum: [], ...(re ? shareOf(re) : {}) };
	$("query").classList.toggle("bad", !!S.q && !re);
	$("found").textContent = !S.q ? "" : !re ? "no regular expression"
		: sides > 1 ? changeText(search.sum) : percent(share(search.sum[0], 0));
}

// The next box that matches, or the one before.
function findNext(step) {
	const boxes = rows.flatMap(({ tree, id: ids }) => ids.filter(id =>
		search.hit[tree.name[id]]).map(id => ({ tree, id })));
	const now = boxes.findIndex(box => same(box, selected)), n = boxes.length;
	if (n)
		select(boxes[(now < 0 && step < 0 ? n - 1 : now + step + n) % n]);
	else if (search.re)
		tell(null, "Nothing that matches is wide enough to be seen.");
}

// ---- telling -----------------------------------------------------------------
const partsOf = values => sides > 1 ? changeText(values)
	: `${amount(values[0])} (${percent(share(values[0], 0))})`;

function describe({ tree, id }, between) {
	const n = names[tree.name[id]], of = tree.under.map(column => column[id]);
	const own = of.map((_, s) => tree.up ? 0 : tree.self(id, s));
	return [n ? `${n.label} (${kindOf(n)})` : "all", (tree.up ? "" : "under: ") + partsOf(of),
		own.some(v => v) ? "in: " + partsOf(own) : "",
		n ? n.kind === " " ? n.space : n.file && `${n.file}:${n.line}` : "",
		n ? n.module : ""].filter(text => text).join(between);
}

function tell(node, text) {
	$("status").textContent = node ? describe(node, " · ") : text;
}

function select(node) {
	selected = node;
	showRow(rowOf(node));
	drawSoon();
	tell(node);
}

// Within the window.
function place(e, x, y) {
	e.style.left = Math.max(0, Math.min(x, innerWidth - e.offsetWidth - 4)) + "px";
	e.style.top = Math.max(0, Math.min(y, innerHeight - e.offsetHeight - 4)) + "px";
}

function hover(e) {
	const tip = $("tip");
	hovered = e && nodeAt(e.offsetX, e.offsetY);
	tip.hidden = !hovered || !$("menu").hidden;
	drawSoon();
	if (!tip.hidden) {
		tip.textContent = describe(hovered, "\n");
		place(tip, e.clientX + 14, e.clientY + (e.clientY + 20 + tip.offsetHeight > innerHeight
			? -tip.offsetHeight - 8 : 20));
	}
	return hovered;
}

// ---- controls ----------------------------------------------------------------
function element(tag, text, more) {
	const e = Object.assign(document.createElement(tag), more);
	e.append(...[text].flat());
	return e;
}

function mark(color) {
	const e = element("span", "", { className: "mark" });
	e.style.background = color;
	return e;
}

function showControls() {
	for (const b of document.querySelectorAll("[data-key]"))
		b.ariaPressed = String(S[b.dataset.key]) === b.dataset.value;
	$("mode").hidden = sides < 2;
	$("dark").textContent = night ? "Light" : "Dark";
	$("event").value = S.e;
	$("split").value = S.s;
	if (document.activeElement !== $("query"))
		$("query").value = S.q;
	const chip = (text, onclick) => element("button", text, { className: "chip", title: "Remove", onclick });
	const second = part => (part * head.duration / head.parts / 1e9).toFixed(3);
	const all = S.c.map(([type, v]) => chip(v ? `${type}: ${kinds[v] || v}` : type, () => toggleChip(type, v)));
	if (S.w.length)
		all.push(chip(`time: ${second(S.w[0])}–${second(S.w[1] + 1)} s`, () => change("w", [], "count")));
	$("chips").hidden = !all.length;
	$("chips").replaceChildren(...all);
	const legend = [...new Set(head.names.map(n => n[1]))].filter(kind => kind !== " ").sort();
	$("legend").replaceChildren(...legend.map(kind => {
		const color = sides > 1 ? [] : [mark(kindColor(names.findIndex(n => n.kind === kind)))];
		return element("button", [...color, kinds[kind] || kind], { title: "Show or hide",
			ariaPressed: !chips("kind").includes(kind), onclick: () => toggleChip("kind", kind) });
	}), ...(sides > 1 ? ["more", "less", "new", "gone", "may be chance"] : []).map((text, i) =>
		element("span", [mark(sideColors()[i]), text])));
}

// ---- menu --------------------------------------------------------------------
function openMenu(node, x, y) {
	const name = node.tree.name[node.id], n = names[name], menu = $("menu");
	const entries = n ? [["Callers and callees (s)", () => callsOf(name)],
		["Hide these frames", () => toggleChip("hide", exactly(n))],
		["Only stacks with it", () => toggleChip("focus", exactly(n))],
		["No stacks with it", () => toggleChip("drop", exactly(n))],
		["Search for it", () => change("q", exactly(n), "look")],
		["Copy its name (c)", () => copyName(node)]] : [["Zoom out (0)", reset]];
	if (n && n.group)
		entries.push(["Merge all of " + n.group, () => toggleChip("merge", n.group)]);
	menu.replaceChildren(...entries.map(([text, act]) => element("button", text,
		{ role: "menuitem", onclick: () => { closeMenu(); act(); } })));
	menu.hidden = false;
	$("tip").hidden = true;
	place(menu, x, y);
	menu.firstChild.focus();
}

function closeMenu() {
	if (!$("menu").hidden)
		graph.focus();
	$("menu").hidden = true;
}

function copyName({ tree, id }) {
	const text = labelOf(tree, id), after = how => () => tell(null, how + text);
	navigator.clipboard?.writeText(text).then(after("Copied: "), after("The browser forbids to copy: "));
}

// ---- keys and mouse ----------------------------------------------------------
// From one box to another: to a neighbour in the row, or to the widest in the next row.
function walk(dx, dy) {
	const from = selected || zoom, r = rowOf(from), row = rows[r], to = rows[r + dy];
	if (!row || !to)
		return;
	const k = row.id.indexOf(from.id), x = row.x[k], end = x + row.w[k];
	const ids = to.id.map((id, i) => i).filter(i => to.id[i] >= 0 && (dx ? (i - k) * dx > 0
		: to.x[i] < end && to.x[i] + to.w[i] > x));
	ids.sort((a, b) => dx ? (a - b) * dx : to.w[b] - to.w[a]);
	if (ids.length)
		select({ tree: to.tree, id: to.id[ids[0]] });
}

const down = () => S.i ? -1 : 1;
const keys = {
	Enter: () => selected && zoomTo(selected), Escape: () => reset(), 0: () => reset(),
	ArrowLeft: () => walk(-1, 0), ArrowRight: () => walk(1, 0),
	ArrowDown: () => walk(0, down()), ArrowUp: () => walk(0, -down()),
	PageDown: () => scrollTo(scroll + down() * graph.clientHeight), Home: () => scrollTo(0),
	PageUp: () => scrollTo(scroll - down() * graph.clientHeight), End: () => scrollTo(longest()),
	"/": () => $("query").select(), n: () => findNext(1), N: () => findNext(-1),
	r: () => view("leaf"), s: () => view("calls"), t: () => view("table"),
	i: () => change("i", !S.i, "look"), o: () => change("o", !S.o, "tree"),
	d: () => change("d", night ? "light" : "dark", "look"), "?": () => $("help").showModal(),
	c: () => selected && copyName(selected), m: () => selected && openMenu(selected, 40, 140),
};

function pressed(e) {
	if (e.ctrlKey || e.metaKey || e.altKey || $("help").open)
		return;
	if (!$("menu").hidden)
		return e.key === "Escape" && closeMenu();
	if (e.target === $("query") && /^(Enter|Escape)$/.test(e.key)) {
		graph.focus();
		return e.key === "Enter" ? findNext(1) : change("q", "", "look");
	}
	if (e.key === "Enter" && /^T[HR]$/.test(e.target.tagName))
		return e.target.click();
	if (!Object.hasOwn(keys, e.key) || /INPUT|SELECT/.test(e.target.tagName) ||
		e.key === "Enter" && e.target.tagName === "BUTTON")
		return;
	e.preventDefault();
	keys[e.key]();
}

function listenToGraph() {
	graph.onmousemove = hover;
	graph.onmouseleave = () => hover(null);
	graph.onclick = e => hover(e) && zoomTo(hovered);
	graph.oncontextmenu = e => {
		e.preventDefault();
		if (!hover(e))
			return;
		select(hovered);
		openMenu(hovered, e.clientX, e.clientY);
	};
	graph.onwheel = e => {
		if (!e.ctrlKey)
			scrollTo(scroll + down() * e.deltaY * (e.deltaMode ? ROW : 1));
		hover(e);
	};
	map.onpointerdown = map.onpointermove = e => e.buttons && scrollByMap(e.offsetY);
}

function listenToStrip() {
	let from = -1;
	const part = e => Math.min(head.parts - 1, Math.max(0,
		Math.floor(e.offsetX / strip.clientWidth * head.parts)));
	strip.onpointerdown = e => {
		from = part(e);
		strip.setPointerCapture(e.pointerId);
	};
	strip.onpointermove = e => {
		if (from < 0)
			return;
		S.w = [Math.min(from, part(e)), Math.max(from, part(e))];
		drawStrip();
	};
	strip.onpointerup = e => {
		change("w", part(e) === from ? [] : S.w, "count");
		from = -1;
		tell(zoom);
	};
}

function onClick(which, act) {
	for (const b of document.querySelectorAll(which))
		b.onclick = () => act(b.dataset);
}

function listen() {
	listenToGraph();
	listenToStrip();
	document.onpointerdown = e => $("menu").contains(e.target) || closeMenu();
	document.onkeydown = pressed;
	onresize = matchMedia("(prefers-color-scheme: dark)").onchange = () => show("look");
	onhashchange = openPage;
	onClick("[data-press]", ({ press }) => keys[press]());
	onClick("#views button", ({ value }) => view(value));
	onClick("#mode button", ({ value }) => change("m", value, "tree"));
	onClick("[data-chip]", ({ chip }) => {
		const text = S.q;
		if (!search.re)
			return tell(null, "Write a regular expression first.");
		S.q = "";
		toggleChip(chip, text);
	});
	$("event").onchange = e => { S.w = []; change("e", +e.target.value, "count"); };
	$("split").onchange = e => change("s", e.target.value, "count");
	$("more").onchange = e => { toggleChip("merge", e.target.value); e.target.value = ""; };
	$("query").oninput = e => change("q", e.target.value, "look");
}

// ---- begin -------------------------------------------------------------------
function fillIn() {
	const when = head.start && new Date(head.start / 1e6).toISOString().slice(0, 19) + "Z";
	const join = (between, ...parts) => parts.filter(part => part).join(between);
	document.title = join(" — ", sides > 1 ? "A → B" : head.host, "flame graph");
	$("title").textContent = sides > 1 ? "Flame graph A → B" : "Flame graph";
	$("about").title = $("about").textContent = join(" · ", head.host, head.kernel, when, head.options);
	$("event").append(...head.events.map((e, value) => element("option", `${e.name || "samples"}: ${
		e.samples.slice(0, sides).map(spaced).join(" → ")} samples`, { value })));
}

function openPage() {
	restoreState();
	show("count");
	if (S.v !== "table")
		tell(zoom);
	graph.focus();
}

const ready = unpack().then(fillIn).then(listen).then(openPage).catch(e => tell(null, `This page cannot be shown: ${e.message}; it needs Chrome 103, ` +
	"Firefox 119, Safari 16.4 or newer"));
// For those who script the page.
window.flame = { S, ready, show, zoomTo, describe, tableRows, names, get rows() { return rows; }, get scroll() { return scroll; },
	get trees() { return trees; }, get zoom() { return zoom; }, get search() { return search; } };
