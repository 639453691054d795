// ---- state -------------------------------------------------------------------
// All that a link reproduces, by the keys that it has in the address.
const usual = {
	e: 0,		// number of the event
	v: "flame",	// view: flame, leaf, calls, table
	f: "",		// calls: the kind's character and the text of the function
	i: false,	// inverted
	o: false,	// wide ones first
	q: "",		// what is searched for
	s: "command",	// what stacks are split by
	m: "B",		// whose total is the width: A, B, union
	d: "",		// "dark" or "light"; "": as the browser
	c: [],		// chips: [type, value]
	w: null,	// parts of the time: [first, last]
	z: [],		// zoom: number of the tree, then names from the root
	by: [],		// table: column, and whether it ascends
};
const S = structuredClone(usual);

const same_ = (a, b) => JSON.stringify(a) === JSON.stringify(b);
// Names of the file by number, others by kind and text.
const nameKey = id => id < head.names.length ? id : names[id].kind + names[id].text;
const nameOf = key => typeof key === "number" ? key : byText.get(key) ?? -2;

function saveState() {
	const hash = new URLSearchParams();
	for (const key in usual)
		if (!same_(S[key], usual[key]))
			hash.set(key, typeof usual[key] === "string" ? S[key] : JSON.stringify(S[key]));
	try {
		history.replaceState(null, "", "#" + hash);
	} catch {
		// Too often or too long: the view stays, only the link does not follow.
	}
}

const sound = {
	e: v => v in head.events, v: v => ["flame", "leaf", "calls", "table"].includes(v),
	s: v => ["command", "process", "thread", "none"].includes(v),
	m: v => ["A", "B", "union"].includes(v), d: v => ["", "dark", "light"].includes(v),
	c: v => Array.isArray(v) && v.every(c => Array.isArray(c) && typeof c[1] === "string"),
	w: v => v === null || Array.isArray(v) && v[0] >= 0 && v[1] >= v[0] && event().times,
	z: Array.isArray, by: Array.isArray, f: v => typeof v === "string",
	q: v => typeof v === "string", i: v => v === !!v, o: v => v === !!v,
};

function restoreState() {
	const hash = new URLSearchParams(location.hash.slice(1));
	Object.assign(S, structuredClone(usual));
	for (const key in usual)
		try {
			const text = hash.get(key);
			const value = typeof usual[key] === "string" ? text : JSON.parse(text);
			if (text !== null && sound[key](value))
				S[key] = value;
		} catch {
			// Not ours: as usual.
		}
}

// ---- from state to what is shown ---------------------------------------------
// what: "count" after a change of what is counted, "tree" of the view, "look" of the rest.
function show(what) {
	if (what === "count")
		recount();
	if (what !== "look") {
		buildTrees();
		find();
	}
	document.documentElement.classList.toggle("dark", dark());
	showControls();
	const table = S.v === "table", empty = !under.some(column => column[0]);
	$("table").hidden = !table || empty;
	graph.hidden = table || empty;
	$("none").hidden = !empty;
	$("none").textContent = head.events.every(e => !e.samples.some(n => n))
		? "No samples: the profile is empty." : "No samples are left: remove a filter above.";
	drawStrip();
	if (empty || table)
		map.hidden = true;
	if (table && !empty)
		showTable();
	else if (!empty)
		layOut();
	saveState();
}

function buildTrees() {
	const f = S.v === "calls" ? functionNamed(S.f) : -1;
	if (S.v === "calls" && f >= 0) {
		const at = nodesNamed(f);
		trees = [new Tree(f, true, at, at, under), new Tree(f, false, at, at, under)];
	} else {
		trees = [S.v === "leaf" ? leafTree() : downTree()];
	}
	const tree = trees[S.z[0]] || trees[trees.length - 1];
	zoom = { tree, id: tree.find(S.z.slice(1).map(nameOf)) };
	selected = hovered = null;
}

const functionNamed = key => Array.from(names.keys()).find(id =>
	names[id].kind + names[id].label === key && (id >= head.names.length || shown[id] === id)) ?? -1;

function zoomTo(node) {
	zoom = { tree: node.tree, id: node.id };
	S.z = node.id ? [trees.indexOf(node.tree), ...node.tree.path(node.id).map(nameKey)] : [];
	selected = zoom;
	layOut();
	const r = rowOf(zoom);
	if (r * ROW < scroll || (r + 5) * ROW > scroll + heightOf(graph))
		scrollTo((r - 3) * ROW);
	tell(zoom);
	saveState();
}

function callsOf(name) {
	S.f = names[name].kind + names[name].label;
	S.v = "calls";
	S.z = [];
	show("tree");
	scrollTo((rows.findIndex(row => row.tree === trees[1]) + 2) * ROW - heightOf(graph) / 2);
	tell(zoom);
}

function addChip(type, value = "") {
	if (!S.c.some(c => same_(c, [type, value])))
		S.c.push([type, value]);
	show("count");
}

// ---- search ------------------------------------------------------------------
function find() {
	const re = S.q ? pattern(S.q) : null;
	search = { re, hit: [], sum: [], ...(re ? shareOf(re) : {}) };
	$("query").classList.toggle("bad", !!S.q && !re);
	$("found").textContent = !S.q ? "" : !re ? "no regular expression"
		: sides > 1 ? change(search.sum) : percent(share(search.sum[0], 0));
}

// The next box that matches, or the one before.
function findNext(step) {
	const boxes = [];
	rows.forEach((row, r) => row.id.forEach(id => {
		if (id >= 0 && search.hit[row.tree.name[id]])
			boxes.push({ tree: row.tree, id, row: r });
	}));
	const now = boxes.findIndex(box => same(box, selected));
	const to = boxes[(now < 0 && step < 0 ? boxes.length - 1 : now + step + boxes.length) %
		boxes.length];
	if (search.re)
		to ? select(to) : tell(null, "Nothing that matches is wide enough to be seen.");
}

// ---- telling -----------------------------------------------------------------
function partsOf(values) {
	return sides > 1 ? change(values)
		: `${amount(values[0])} (${percent(share(values[0], 0))})`;
}

function describe({ tree, id }, between) {
	const n = names[tree.name[id]], values = tree.under.map(column => column[id]);
	const own = tree.under.map((_, s) => tree.self(id, s));
	const told = [n ? `${n.label} (${kindOf(tree.name[id])})` : "all",
		(tree.up ? "" : "under: ") + partsOf(values)];
	if (!tree.up)
		told.push("in: " + partsOf(own));
	if (n && n.kind === " " && n.space)
		told.push(n.space);
	if (n && n.kind !== " " && n.file)
		told.push(`${n.file}:${n.line}`);
	if (n && n.kind !== " " && n.module)
		told.push(n.module);
	return told.join(between);
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

function hover(e) {
	const node = e && nodeAt(e.offsetX, e.offsetY), tip = $("tip");
	hovered = node && node.id >= 0 ? node : null;
	tip.hidden = !hovered;
	drawSoon();
	if (!hovered)
		return;
	tip.textContent = describe(hovered, "\n");
	const { width, height } = tip.getBoundingClientRect();
	tip.style.left = Math.max(0, Math.min(e.clientX + 14, innerWidth - width - 6)) + "px";
	tip.style.top = (e.clientY + 20 + height > innerHeight ? e.clientY - height - 8
		: e.clientY + 20) + "px";
}

// ---- controls ----------------------------------------------------------------
function element(tag, text, more = {}) {
	const e = Object.assign(document.createElement(tag), more);
	e.textContent = text;
	return e;
}

function showControls() {
	document.querySelectorAll("[data-view]").forEach(b =>
		b.setAttribute("aria-pressed", b.dataset.view === S.v));
	document.querySelectorAll("[data-mode]").forEach(b =>
		b.setAttribute("aria-pressed", b.dataset.mode === S.m));
	$("invert").setAttribute("aria-pressed", S.i);
	$("order").setAttribute("aria-pressed", S.o);
	$("mode").hidden = sides < 2;
	$("dark").textContent = dark() ? "Light" : "Dark";
	$("event").value = S.e;
	$("split").value = S.s;
	if (document.activeElement !== $("query"))
		$("query").value = S.q;
	const all = S.c.map((c, i) => element("button", c.join(": ").replace(/: $/, ""),
		{ className: "chip", title: "Remove", onclick: () => { S.c.splice(i, 1); show("count"); } }));
	if (S.w)
		all.push(element("button", "time: " + timesText(), { className: "chip", title: "Remove",
			onclick: () => { S.w = null; show("count"); } }));
	$("chips").hidden = !all.length;
	$("chips").replaceChildren(...all);
	showLegend();
}

function timesText() {
	const part = head.duration / head.parts / 1e9;
	return `${(S.w[0] * part).toFixed(3)}–${((S.w[1] + 1) * part).toFixed(3)} s`;
}

function showLegend() {
	const has = [...new Set(head.names.map(n => n[1]))].filter(kind => kind !== " ").sort();
	const hidden = chips("kind");
	$("legend").replaceChildren(...has.map(kind => {
		const b = element("button", "", { title: "Show or hide", onclick: () => toggleKind(kind) });
		const like = names.findIndex(n => n.kind === kind);
		const mark = element("span", "", { className: "mark" });
		mark.style.background = kindColor(like);
		b.append(...(sides > 1 ? [] : [mark]), kinds[kind] || kind);
		b.setAttribute("aria-pressed", !hidden.includes(kind));
		return b;
	}), ...(sides > 1 ? ["more", "less", "new", "gone", "may be chance"] : [])
		.map((text, i) => {
			const e = element("span", text), mark = element("span", "", { className: "mark" });
			mark.style.background = sideColors()[i];
			e.prepend(mark);
			return e;
		}));
}

function toggleKind(kind) {
	const at = S.c.findIndex(c => same_(c, ["kind", kind]));
	if (at < 0)
		return addChip("kind", kind);
	S.c.splice(at, 1);
	show("count");
}

// ---- table -------------------------------------------------------------------
const LINES = 1000;

function tableRows() {
	const { inside, beneath } = flatten(), list = [];
	for (let id = 0; id < names.length; id++) {
		const row = { id, in: inside.map(c => c[id]), under: beneath.map(c => c[id]) };
		if (row.under.some(v => v) && (!search.re || search.hit[id]))
			list.push(row);
	}
	return list;
}

const columnsOf = () => [
	...(sides > 1 ? [
		["Under A → B", r => change(r.under), r => Math.abs(share(r.under[0], 0) - share(r.under[1], 1))],
		["In A → B", r => change(r.in), r => Math.abs(share(r.in[0], 0) - share(r.in[1], 1))],
	] : [
		["In %", r => percent(share(r.in[0], 0)), r => r.in[0]],
		["In", r => amount(r.in[0]), r => r.in[0]],
		["Under %", r => percent(share(r.under[0], 0)), r => r.under[0]],
		["Under", r => amount(r.under[0]), r => r.under[0]],
	]),
	["Kind", r => kindOf(r.id), r => kindOf(r.id)],
	["Function", r => names[r.id].label, r => names[r.id].label],
	["Where", r => names[r.id].kind === " " ? names[r.id].space : names[r.id].module || names[r.id].file, r => names[r.id].module || names[r.id].file],
];

function showTable() {
	const list = tableRows(), columns = columnsOf(), [by = 0, ascends = false] = S.by;
	const key = (columns[by] || columns[0])[2];
	const order = (a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id;
	list.sort((a, b) => ascends ? order(a, b) : order(b, a));
	const table = element("table", ""), top = table.createTHead().insertRow();
	columns.forEach(([title], i) => {
		const th = element("th", title + (i === by ? ascends ? " ▲" : " ▼" : ""), { tabIndex: 0,
			className: i >= columns.length - 3 ? "left" : "",
			onclick: () => { S.by = [i, i === by ? !ascends : i >= columns.length - 3]; show("look"); } });
		th.setAttribute("aria-sort", i !== by ? "none" : ascends ? "ascending" : "descending");
		top.append(th);
	});
	const body = table.createTBody();
	for (const r of list.slice(0, LINES)) {
		const tr = body.insertRow();
		tr.tabIndex = 0;
		tr.onclick = () => callsOf(r.id);
		columns.forEach(([, text], i) => {
			const td = element("td", text(r), { className: i >= columns.length - 3 ? "left" : "" });
			if (i === columns.length - 2) {
				const mark = element("span", "", { className: "mark" });
				mark.style.background = sides > 1 ? changeColor(r.under) : kindColor(r.id);
				td.prepend(mark);
			}
			tr.append(td);
		});
	}
	$("table").replaceChildren(table);
	tell(null, `${list.length} functions` + (list.length > LINES
		? `, the first ${LINES} are shown: search to see others` : "") + "; click: callers and callees");
}

// ---- menu --------------------------------------------------------------------
function openMenu(node, x, y) {
	const name = node.tree.name[node.id], n = names[name], menu = $("menu");
	const entries = n && [
		["Zoom (Enter)", () => zoomTo(node)],
		["Callers and callees (s)", () => callsOf(name)],
		["Hide these frames", () => addChip("hide", exactly(name))],
		["Only stacks with it", () => addChip("focus", exactly(name))],
		["No stacks with it", () => addChip("drop", exactly(name))],
		...(n.group ? [[`Merge ${n.group}`, () => addChip("collapse", n.group)]] : []),
		["Search for it", () => setSearch(exactly(name))],
		["Copy its name (c)", () => copyName(node)],
	];
	if (!entries)
		return;
	menu.replaceChildren(...entries.map(([text, act]) =>
		element("button", text, { role: "menuitem", onclick: () => { closeMenu(); act(); } })));
	menu.hidden = false;
	$("tip").hidden = true;
	menu.style.left = Math.min(x, innerWidth - menu.offsetWidth - 4) + "px";
	menu.style.top = Math.min(y, innerHeight - menu.offsetHeight - 4) + "px";
	menu.firstChild.focus();
}

function closeMenu() {
	if (!$("menu").hidden)
		graph.focus();
	$("menu").hidden = true;
}

function copyName(node) {
	const text = labelOf(node.tree, node.id), field = element("textarea", text);
	document.body.append(field);
	field.select();
	document.execCommand("copy");
	field.remove();
	graph.focus();
	tell(null, "Copied: " + text);
}

function setSearch(text) {
	$("query").value = S.q = text;
	find();
	show("look");
}

// ---- keys and mouse ----------------------------------------------------------
// From one box to another: to a neighbour in the row, to a child, to the parent.
function walk(dx, deeper) {
	const from = selected || zoom, r = rowOf(from), row = rows[r];
	if (!row)
		return;
	const k = row.id.indexOf(from.id), to = rows[r + deeper];
	if (deeper && to) {
		const x = row.x[k], end = x + row.w[k];
		const near = to.id.map((id, i) => ({ id, i })).filter(({ id, i }) => id >= 0 &&
			to.x[i] < end && to.x[i] + to.w[i] > x);
		const best = near.sort((a, b) => to.w[b.i] - to.w[a.i])[0];
		if (best)
			select({ tree: to.tree, id: best.id });
	}
	for (let i = k + dx; dx && i >= 0 && i < row.id.length; i += dx)
		if (row.id[i] >= 0)
			return select({ tree: row.tree, id: row.id[i] });
}

const step = () => (S.i ? -1 : 1);
const change_ = (key, value, what) => { S[key] = value; show(what); };
function view(v) {
	if (v === "calls") {
		const name = selected ? selected.tree.name[selected.id] : zoom.tree.name[zoom.id];
		return name >= 0 ? callsOf(name) : tell(null, "Select a function first.");
	}
	S.z = [];
	change_("v", v === S.v ? "flame" : v, "tree");
	scrollTo(0);
}

const keys = {
	ArrowLeft: () => walk(-1, 0), ArrowRight: () => walk(1, 0),
	ArrowDown: () => walk(0, step()), ArrowUp: () => walk(0, -step()),
	PageDown: () => scrollTo(scroll + step() * heightOf(graph)),
	PageUp: () => scrollTo(scroll - step() * heightOf(graph)),
	Home: () => scrollTo(0), End: () => scrollTo(longest()),
	Enter: () => selected && zoomTo(selected),
	Escape: () => reset(), 0: () => reset(),
	"/": () => $("query").select(), n: () => findNext(1), N: () => findNext(-1),
	i: () => change_("i", !S.i, "look"), o: () => change_("o", !S.o, "tree"),
	r: () => view("leaf"), t: () => view("table"), s: () => view("calls"),
	d: () => change_("d", dark() ? "light" : "dark", "look"),
	c: () => selected && copyName(selected), "?": () => $("help").showModal(),
	m: () => selected && openMenu(selected, 40, 140),
};

function reset() {
	if (!S.z.length && S.v === "calls")
		return view("flame");
	S.z = [];
	zoomTo({ tree: trees[trees.length - 1], id: 0 });
	selected = null;
}

const helpLines = [["click, Enter", "zoom; click a row above to zoom out"], ["Esc, 0", "zoom out"],
	["arrows", "walk"], ["right click, m", "what can be done with a function"],
	["/", "search by regular expression; small letters match capitals, too"],
	["n, N", "the next and the previous that matches"], ["r", "leaf first: where time is spent, then callers"],
	["s", "callers and callees"], ["t", "table"], ["i", "turn upside down"], ["o", "wide ones first"],
	["d", "dark or light"], ["c", "copy the name"],
	["address", "a link to this page with its address shows the same view"]];

function listen() {
	graph.onmousemove = hover;
	graph.onmouseleave = () => hover(null);
	graph.onclick = e => {
		const node = nodeAt(e.offsetX, e.offsetY);
		if (node && node.id >= 0)
			zoomTo(node);
	};
	graph.oncontextmenu = e => {
		const node = nodeAt(e.offsetX, e.offsetY);
		e.preventDefault();
		if (node && node.id >= 0) {
			select(node);
			openMenu(node, e.clientX, e.clientY);
		}
	};
	graph.addEventListener("wheel", e => {
		if (e.ctrlKey || !longest())
			return;
		e.preventDefault();
		scrollTo(scroll + step() * e.deltaY * (e.deltaMode ? ROW : 1));
		hover(e);
	}, { passive: false });
	map.onpointerdown = map.onpointermove = e => e.buttons && scrollByMap(e.offsetY);
	listenToStrip();
	document.onpointerdown = e => $("menu").contains(e.target) || closeMenu();
	document.onkeydown = e => {
		if (e.ctrlKey || e.metaKey || e.altKey || $("help").open)
			return;
		if (!$("menu").hidden)
			return e.key === "Escape" && closeMenu();
		if (/INPUT|SELECT/.test(e.target.tagName))
			return;
		if (e.key === "Enter" && e.target !== graph)
			return /T[HR]/.test(e.target.tagName) && e.target.click();
		if (Object.hasOwn(keys, e.key)) {
			e.preventDefault();
			keys[e.key]();
		}
	};
	onresize = () => show("look");
	onhashchange = () => { restoreState(); show("count"); };
	matchMedia("(prefers-color-scheme: dark)").onchange = () => show("look");
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
		if (from >= 0) {
			S.w = [Math.min(from, part(e)), Math.max(from, part(e))];
			drawStrip();
		}
	};
	strip.onpointerup = e => {
		if (from >= 0 && part(e) === from)
			S.w = null;
		if (from >= 0)
			show("count");
		from = -1;
	};
}

function listenToControls() {
	document.querySelectorAll("[data-view]").forEach(b => b.onclick = () => view(b.dataset.view));
	document.querySelectorAll("[data-mode]").forEach(b =>
		b.onclick = () => change_("m", b.dataset.mode, "tree"));
	document.querySelectorAll("[data-chip]").forEach(b => b.onclick = () => {
		if (S.q && pattern(S.q)) {
			const text = S.q;
			setSearch("");
			addChip(b.dataset.chip, text);
		} else {
			$("query").focus();
			tell(null, "Write a regular expression first.");
		}
	});
	for (const [id, key] of [["invert", "i"], ["order", "o"], ["dark", "d"], ["ask", "?"], ["next", "n"], ["back", "N"]])
		$(id).onclick = keys[key];
	$("event").onchange = e => { S.w = null; change_("e", +e.target.value, "count"); };
	$("split").onchange = e => change_("s", e.target.value, "count");
	$("more").onchange = e => { const type = e.target.value; e.target.value = ""; addChip(type); };
	$("query").oninput = e => setSearch(e.target.value);
	$("query").onkeydown = e => {
		if (e.key === "Enter" || e.key === "Escape") {
			graph.focus();
			if (e.key === "Enter")
				findNext(1);
			else
				setSearch("");
			e.preventDefault();
		}
	};
}

// ---- begin -------------------------------------------------------------------
function fillIn() {
	const when = head.start ? new Date(head.start / 1e6).toISOString().slice(0, 19) + "Z" : "";
	const count = e => e.samples.slice(0, sides).map(n => n.toLocaleString("en").replace(/,/g, "\u202f")).join(" → ");
	document.title = [sides > 1 ? "A → B" : head.host, "flame graph"].filter(t => t).join(" — ");
	$("title").textContent = sides > 1 ? "Flame graph A → B" : "Flame graph";
	$("about").textContent = [head.host, head.kernel, when, head.options].filter(t => t).join(" · ");
	$("about").title = $("about").textContent;
	$("event").replaceChildren(...head.events.map((e, i) =>
		element("option", `${e.name || "samples"}: ${count(e)} samples`, { value: i })));
	const table = element("table", "");
	for (const [key, text] of helpLines) {
		const tr = table.insertRow();
		tr.append(element("td", ""), element("td", text));
		tr.firstChild.append(element("kbd", key));
	}
	$("help").append(table, element("button", "Close", { onclick: () => $("help").close() }));
}

async function begin() {
	await unpack();
	fillIn();
	restoreState();
	listen();
	listenToControls();
	show("count");
	if (!$("status").textContent.endsWith("functions"))
		tell(zoom);
	graph.focus();
}

const ready = begin().catch(e => {
	$("status").textContent = "This page cannot be shown: " + e.message +
		" (it needs Chrome 103, Firefox 113, Safari 16.4 or newer)";
	throw e;
});
// For those who script the page.
window.flame = { S, show, zoomTo, ready, get rows() { return rows; }, get trees() { return trees; },
	get zoom() { return zoom; }, get search() { return search; }, names, amount, percent,
	tableRows, describe, share: v => v.map(share) };
