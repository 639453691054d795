// ---- table -------------------------------------------------------------------
const LINES = 1000;	// no browser likes more

function tableRows() {
	const { inside, beneath } = flatten();
	return names.map((n, id) => ({ n, id, in: inside.map(c => c[id]), under: beneath.map(c => c[id]) }))
		.filter(r => r.under.some(v => v) && (!search.re || search.hit[r.id]));
}

// Title, text, and what it is sorted by.
function columns() {
	const moved = of => r => Math.abs(share(of(r)[0], 0) - share(of(r)[1], 1));
	const numbers = [["In", r => r.in], ["Under", r => r.under]].flatMap(([title, of]) =>
		sides > 1 ? [[title + " A → B", r => changeText(of(r), " ~"), moved(of)]]
			: [[title + " %", r => percent(share(of(r)[0], 0)), r => of(r)[0]],
				[title, r => amount(of(r)[0]), r => of(r)[0]]]);
	return [...numbers, ...[["Kind", r => kindOf(r.n)], ["Function", r => r.n.label],
		["Where", r => r.n.kind === " " ? r.n.space : r.n.module || r.n.file]].map(([t, of]) => [t, of, of])];
}

function showTable() {
	const list = tableRows(), all = columns(), [by = 0, ascends = false] = S.by;
	const left = i => i >= all.length - 3 ? "left" : "", key = (all[by] || all[0])[2];
	const order = (a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id;
	list.sort((a, b) => ascends ? order(a, b) : order(b, a));
	const top = element("tr", all.map(([title], i) => element("th",
		title + (i !== by ? "" : ascends ? " ▲" : " ▼"), { tabIndex: 0, className: left(i),
			ariaSort: i !== by ? "none" : ascends ? "ascending" : "descending",
			onclick: () => change("by", [i, i === by ? !ascends : !!left(i)], "look") })));
	const body = list.slice(0, LINES).map(r => element("tr", all.map(([, text], i) =>
		element("td", i === all.length - 2 ? [mark(sides > 1 ? changeColor(r.under) : kindColor(r.id)),
			text(r)] : text(r), { className: left(i) })), { tabIndex: 0, onclick: () => callsOf(r.id) }));
	$("table").replaceChildren(element("table", [element("thead", top), element("tbody", body)]));
	tell(null, `${list.length} names${list.length > LINES ? `, ${LINES} are shown: search for others`
		: ""}; click one for its callers and callees${sides > 1 ? "; ~ may be chance" : ""}`);
}
