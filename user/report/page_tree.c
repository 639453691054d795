/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Trees and lists on a page.  A tree is walked with a list of what is still to be
 * written, since stacks may be deeper than ours. */
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/report/label.h"
#include "user/report/page.h"
#include "user/report/page_row.h"
#include "user/view/flat.h"

/* A child that has so much of its caller, in percent, goes on at the same place. */
#define CHAINED 95

/* A node, or the sum of those cut. */
struct item {
	u32 node, level;
	bool chained, last;
	u64 cut; /* nodes */
	u64 under[TREE_SIDES];
};

struct walk {
	struct page *page;
	const struct tree *tree;
	struct item *todo;
	size_t n, capacity;
	u32 *kept;
	size_t kept_capacity;
	bool *more; /* by level: siblings follow */
	u32 levels; /* that are indented */
	struct buf guide;
};

static int by_under(const void *a, const void *b, void *ctx)
{
	const struct walk *w = ctx;
	const struct tree_node *x = &w->tree->node[*(const u32 *)a];
	const struct tree_node *y = &w->tree->node[*(const u32 *)b];
	double left = page_share(w->page, x->under);
	double right = page_share(w->page, y->under);

	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(label_text(w->page->labels, x->name),
		      label_text(w->page->labels, y->name));
}

static void push(struct walk *w, const struct item *item)
{
	w->todo = xgrow(w->todo, w->n, &w->capacity, sizeof(*w->todo));
	w->todo[w->n++] = *item;
}

/* The children that are written; the sum of the others in *rest. */
static size_t keep(struct walk *w, u32 node, struct item *rest)
{
	const struct tree_node *of = w->tree->node;
	const struct page *p = w->page;
	bool deep = p->depth && of[node].depth >= p->depth;
	size_t n = 0;

	for (u32 i = node + 1; i < of[node].end; i = of[i].end) {
		if (!deep && page_share(p, of[i].under) >= p->least) {
			w->kept = xgrow(w->kept, n, &w->kept_capacity,
					sizeof(*w->kept));
			w->kept[n++] = i;
			continue;
		}
		rest->cut++;
		for (int side = 0; side < TREE_SIDES; side++)
			rest->under[side] += of[i].under[side];
	}
	/* Together they may be as little as each of them. */
	if (!deep && page_share(p, rest->under) < p->least)
		rest->cut = 0;
	if (n)
		qsort_r(w->kept, n, sizeof(*w->kept), by_under, w);
	return n;
}

static void push_children(struct walk *w, const struct item *of)
{
	const struct tree_node *node = w->tree->node;
	struct item rest = { .last = true, .level = of->level + 1 };
	size_t n = keep(w, of->node, &rest);
	bool chain =
		n == 1 && of->level &&
		page_share(w->page, node[*w->kept].under) * 100 >=
			page_share(w->page, node[of->node].under) * CHAINED;

	if (!of->node)
		rest.level = 0;
	if (rest.cut && !chain)
		push(w, &rest);
	for (size_t i = n; i-- > 0;)
		push(w,
		     &(struct item){ .node = w->kept[i],
				     .level = chain ? of->level : rest.level,
				     .chained = chain,
				     .last = chain ? of->last
						   : i == n - 1 && !rest.cut });
	rest.chained = true;
	rest.level = of->level;
	if (rest.cut && chain)
		push(w, &rest);
}

static const char *guide(struct walk *w, const struct item *item)
{
	u32 level = item->level < w->levels ? item->level : w->levels;

	buf_reset(&w->guide);
	for (u32 i = 1; i < level; i++)
		buf_adds(&w->guide, w->more[i] ? "│ " : "  ");
	if (level)
		buf_adds(&w->guide, item->chained ? "╎ "
				    : item->last  ? "└ "
						  : "├ ");
	if (item->level > w->levels)
		buf_addf(&w->guide, "+%u ", item->level - w->levels);
	if (!item->chained)
		w->more[level] = !item->last;
	return buf_text(&w->guide);
}

static void print(struct walk *w, const struct item *item)
{
	const struct tree_node *node = &w->tree->node[item->node];

	if (item->cut) {
		page_cut(w->page, guide(w, item), item->cut, item->under);
		return;
	}
	page_cells(w->page, node->in, node->under);
	page_row(w->page, node->name, guide(w, item));
	push_children(w, item);
}

void page_tree(struct page *p, const struct tree *t)
{
	struct walk w = { .page = p, .tree = t, .levels = page_names(p) / 4 };

	if (!w.levels)
		w.levels = 1;
	w.more = xcalloc(w.levels + 1, sizeof(*w.more));
	push_children(&w, &(struct item){ 0 });
	while (w.n && !p->err) {
		struct item item = w.todo[--w.n];

		print(&w, &item);
	}
	free(w.todo);
	free(w.kept);
	free(w.more);
	buf_release(&w.guide);
}

/* What a list is sorted by. */
static double weight(const struct page *p, const u64 *under)
{
	double a, b;

	if (!p->changes)
		return page_share(p, under);
	a = p->total[0] ? 100.0 * under[0] / p->total[0] : 0;
	b = p->total[1] ? 100.0 * under[1] / p->total[1] : 0;
	return a > b ? a - b : b - a;
}

static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct flat_row *const *x = a, *const *y = b;
	const struct page *p = ctx;
	double left = weight(p, (*x)->under), right = weight(p, (*y)->under);

	if (left == right)
		left = page_share(p, (*x)->in), right = page_share(p, (*y)->in);
	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(label_text(p->labels, (*x)->name),
		      label_text(p->labels, (*y)->name));
}

/* The cut rows' Under counts stacks more than once: their In does not. */
void page_flat(struct page *p, const struct flat *f)
{
	const struct flat_row **kept = xcalloc(f->n + 1, sizeof(*kept));
	u64 in[TREE_SIDES] = { 0 }, cut = 0;
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct flat_row *row = &f->row[i];

		if (!row->under[0] && !row->under[1])
			continue;
		if (page_share(p, row->under) >= p->least) {
			kept[n++] = row;
			continue;
		}
		cut++;
		for (int side = 0; side < TREE_SIDES; side++)
			in[side] += row->in[side];
	}
	qsort_r(kept, n, sizeof(*kept), by_weight, p);
	for (size_t i = 0; i < n && !p->err; i++) {
		page_cells(p, kept[i]->in, kept[i]->under);
		page_row(p, kept[i]->name, "");
	}
	if (cut)
		page_cut(p, "", cut, in);
	free(kept);
}
