// ---- what is drawn -----------------------------------------------------------
// Canvases are as large as the window, however deep the stacks are.  layOut() makes rows of
// boxes of what is wide enough to be seen; drawing takes those in view.
const ROW = 18, LEAST = 0.5, MANY = 300000, MAP = 72, STRIP = 44;

let trees = [];		// one, or callers and callees
let zoom, selected, hovered;	// { tree, id }
let rows = [];		// { tree, id: [], x: [], w: [], above }; id -1: many small ones
let scroll = 0, cut = false;
let search = { text: "", re: null, hit: [], sum: [] };

const graph = $("graph"), map = $("map"), strip = $("strip");
const same = (a, b) => a && b && a.tree === b.tree && a.id === b.id;

// The canvas's context, in the window's pixels.
function fresh(canvas) {
	const scale = devicePixelRatio || 1, c = canvas.getContext("2d");
	canvas.width = Math.round(canvas.clientWidth * scale);
	canvas.height = Math.round(canvas.clientHeight * scale);
	c.scale(scale, scale);
	return c;
}

// ---- boxes -------------------------------------------------------------------
// The children's boxes of box k, into row `into`.
function layKids(row, k, scale, into) {
	let x = row.x[k], small = x;
	const add = (id, from, to) => {
		if (to - from < LEAST)
			return;
		into.id.push(id);
		into.x.push(from);
		into.w.push(to - from);
	};
	for (const kid of row.tree.kids(row.id[k])) {
		const end = x + widthOf(row.tree, kid) * scale;
		if (end - x >= LEAST) {
			add(-1, small, x);
			add(kid, x, end);
			small = end;
		}
		x = end;
	}
	add(-1, small, x);
}

function layTree(tree, id, width) {
	const laid = [], whole = widthOf(tree, id);
	for (let up = tree.parent[id]; up >= 0; up = tree.parent[up])
		laid.unshift({ tree, id: [up], x: [0], w: [width], above: true });
	let row = { tree, id: [id], x: [0], w: [whole ? width : 0] }, boxes = 0;
	while (row.id.length && boxes < MANY) {
		laid.push(row);
		boxes += row.id.length;
		const next = { tree, id: [], x: [], w: [] };
		for (let k = 0; whole && k < row.id.length; k++)
			if (row.id[k] >= 0)
				layKids(row, k, width / whole, next);
		row = next;
	}
	cut ||= row.id.length > 0;
	return laid;
}

function layOut() {
	const width = graph.clientWidth;
	cut = false;
	const laid = trees.map(tree => layTree(tree, zoom.tree === tree ? zoom.id : 0, width));
	// Callers stand before what they call.
	rows = laid.length > 1 ? laid[0].slice(1).reverse().concat(laid[1]) : laid[0];
	map.hidden = rows.length * ROW <= graph.clientHeight;
	if (!map.hidden && graph.clientWidth !== width)
		return layOut();
	if (!map.hidden)
		drawMapImage();
	scrollTo(scroll);
}

const longest = () => Math.max(0, rows.length * ROW - graph.clientHeight);
function scrollTo(y) {
	scroll = Math.min(Math.max(0, y), longest());
	drawSoon();
}
const rowOf = node => rows.findIndex(row => row.tree === node.tree && row.id.includes(node.id));
function showRow(r) {
	if (r >= 0)
		scrollTo(Math.min(Math.max(scroll, (r + 3) * ROW - graph.clientHeight), (r - 2) * ROW));
}

// Where row r begins in the canvas.
const topOf = r => S.i ? graph.clientHeight - (r + 1) * ROW + scroll : r * ROW - scroll;

function nodeAt(x, y) {
	const r = Math.floor(((S.i ? graph.clientHeight - y : y) + scroll) / ROW), row = rows[r];
	const k = row ? row.x.findIndex((from, i) => x >= from && x < from + row.w[i]) : -1;
	return k < 0 || row.id[k] < 0 ? null : { tree: row.tree, id: row.id[k] };
}

// ---- colours -----------------------------------------------------------------
const hues = { C: [32, 88], i: [48, 90], j: [170, 50], k: [275, 45], T: [100, 48], R: [212, 75],
	".": [0, 0], "!": [0, 60], " ": [220, 14] };
let night;	// it is dark now
const dark = () => S.d ? S.d === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name);

const hashOf = text => [...text].reduce((h, c) => h * 31 + c.codePointAt(0) >>> 0, 7);

function kindColor(name) {
	if (name < 0)
		return night ? "#444a55" : "#c9ced8";
	const n = names[name], [hue, strong] = hues[n.kind] || [320, 50], h = n.hash ??= hashOf(n.text);
	return night ? `hsl(${hue - 6 + (h >> 8) % 13} ${strong * 0.6}% ${30 + h % 9}%)`
		: `hsl(${hue - 6 + (h >> 8) % 13} ${strong}% ${70 + h % 11}%)`;
}

// More is red, less is blue; what has no other side has a colour of its own.
const sideColors = () => night ? ["hsl(8 80% 40%)", "hsl(215 80% 44%)", "#8a3fa8", "#0e6d6b", "#4a4e57"]
	: ["hsl(8 90% 66%)", "hsl(215 85% 66%)", "#d79bf0", "#63c7c2", "#d5d7db"];

function changeColor(values) {
	const [a, b] = values.map(share);
	if (isNoise(values) || a === b)
		return sideColors()[4];
	if (!a || !b)
		return sideColors()[a ? 3 : 2];
	const much = Math.min(1, Math.abs(Math.log2(b / a)) / 2), strong = 35 + 60 * much;
	return `hsl(${b > a ? 8 : 215} ${strong}% ${night ? 30 + 14 * much : 86 - 22 * much}%)`;
}

function colorOf(tree, id) {
	return sides > 1 && id ? changeColor(tree.under.map(column => column[id]))
		: kindColor(tree.name[id]);
}

// ---- drawing -----------------------------------------------------------------
let waiting = 0;
function drawSoon() {
	cancelAnimationFrame(waiting);
	waiting = requestAnimationFrame(draw);
}

const labelOf = (tree, id) => tree.name[id] < 0 ? "all" : names[tree.name[id]].label;
const textWidth = 7.25;		// of a character of the font below

function drawText(c, text, x, y, w) {
	const fits = Math.floor((w - 7) / textWidth);
	if (fits > 2)
		c.fillText(text.length > fits ? text.slice(0, fits - 1) + "…" : text, x + 4, y + 13, w - 6);
}

function drawRow(c, r, style) {
	const row = rows[r], y = topOf(r), { tree } = row;
	for (let k = 0; k < row.id.length; k++) {
		const id = row.id[k], x = row.x[k], gap = row.w[k] > 3 ? 1 : 0, w = row.w[k] - gap;
		if (id < 0) {
			c.fillStyle = style.many;
			c.fillRect(x, y + 5, w, ROW - 10);
			continue;
		}
		const hit = search.re && search.hit[tree.name[id]];
		c.globalAlpha = row.above ? 0.55 : search.re && !hit ? 0.5 : 1;
		c.fillStyle = hit ? style.hit : colorOf(tree, id);
		c.fillRect(x, y, w, ROW - 1);
		c.globalAlpha = 1;
		c.fillStyle = hit ? style.hitText : style.text;
		drawText(c, labelOf(tree, id), x, y, w);
		c.strokeStyle = style.line;
		c.lineWidth = same({ tree, id }, selected) ? 2 : 1;
		if (c.lineWidth > 1 || same({ tree, id }, hovered))
			c.strokeRect(x + 0.5, y + 0.5, Math.max(1, w - 1), ROW - 2);
	}
}

function draw() {
	const c = fresh(graph), h = graph.clientHeight;
	const [many, hit, hitText, text, line] = ["--many", "--hit", "--hit-text", "--box-text", "--text"].map(css);
	const style = { many, hit, hitText, text, line };
	c.font = "12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
	const first = Math.floor(scroll / ROW), last = Math.ceil((scroll + h) / ROW);
	for (let r = first; r < Math.min(last, rows.length); r++)
		drawRow(c, r, style);
	if (cut && last > rows.length) {
		c.fillStyle = style.line;
		drawText(c, "Zoom in to see what is deeper.", 0, topOf(rows.length), 400);
	}
	if (!map.hidden)
		drawMap();
}

// ---- the whole, small --------------------------------------------------------
let mapImage;
const mapTop = r => (S.i ? rows.length - 1 - r : r) / rows.length;

function drawMapImage() {
	const h = map.clientHeight, wide = MAP / graph.clientWidth, step = Math.ceil(rows.length / h);
	mapImage = new OffscreenCanvas(MAP, Math.max(1, h));
	const c = mapImage.getContext("2d"), tall = Math.max(1, h / rows.length);
	for (let r = 0; r < rows.length; r += step)
		rows[r].id.forEach((id, k) => {
			c.fillStyle = id < 0 ? css("--many") : colorOf(rows[r].tree, id);
			c.fillRect(rows[r].x[k] * wide, mapTop(r) * h,
				Math.max(0.5, rows[r].w[k] * wide), tall);
		});
}

function drawMap() {
	const c = fresh(map), h = map.clientHeight, all = rows.length * ROW;
	c.drawImage(mapImage, 0, 0, MAP, h);
	const tall = Math.max(6, graph.clientHeight / all * h), y = scroll / all * h;
	c.strokeStyle = css("--text");
	c.lineWidth = 2;
	c.strokeRect(1, (S.i ? h - y - tall : y) + 1, MAP - 2, tall - 2);
}

function scrollByMap(y) {
	const part = y / map.clientHeight, at = S.i ? 1 - part : part;
	scrollTo(at * rows.length * ROW - graph.clientHeight / 2);
}

// ---- when it was -------------------------------------------------------------
function drawStrip() {
	const { part, number } = whole.times, { parts } = head;
	if (strip.hidden = !part.length)
		return;
	const c = fresh(strip), w = strip.clientWidth / parts, h = STRIP - 14;
	const sum = new Float64Array(parts);
	part.forEach((b, i) => sum[b] += number[i]);
	const most = Math.max(...sum, 1);
	for (let b = 0; b < parts; b++) {
		const inside = !S.w.length || b >= S.w[0] && b <= S.w[1], tall = sum[b] / most * h;
		c.fillStyle = css(inside ? "--heat" : "--many");
		c.fillRect(b * w, h - tall, Math.max(1, w - 0.5), tall);
	}
	if (S.w.length) {
		c.fillStyle = css("--shade");
		c.fillRect(S.w[0] * w, 0, (S.w[1] + 1 - S.w[0]) * w, h);
	}
	drawMarks(c, h);
}

function drawMarks(c, h) {
	const scale = strip.clientWidth / (head.duration || 1);
	let free = 0;
	c.font = "11px system-ui, sans-serif";
	const add = (text, x, color) => {
		const w = c.measureText(text).width, at = Math.min(x, strip.clientWidth - w - 2);
		c.fillStyle = css(color);
		c.fillRect(x, 0, 1, h + 3);
		if (at >= free) {
			c.fillText(text, at, STRIP - 3);
			free = at + w + 8;
		}
	};
	add("0 s", 0, "--text");
	for (const [time, , text] of head.marks)
		add(text, time * scale, "--text");
	for (const [time, n, text] of head.losses)
		add(`lost ${n}: ${text}`, time * scale, "--bad");
	add((head.duration / 1e9).toFixed(2) + " s", strip.clientWidth, "--text");
}
