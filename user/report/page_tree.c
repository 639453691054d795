/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Trees on a page.  A tree is walked with a list of what is still to be written, the next
 * at its end, since stacks may be deeper than ours. */
#include <stdlib.h>
#include <string.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/report/page.h"

/* A child that has so much of its caller, in percent, goes on at the same place. */
#define CHAINED 95

/* A node, or what is left out of its siblings. */
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
	bool *more; /* by level: siblings follow */
	u32 levels; /* that are indented */
	struct buf guide;
};

/* What rows are sorted by. */
static double weight(const struct page *p, const u64 *under)
{
	double change = page_percent(p, under, 0) - page_percent(p, under, 1);

	if (!p->compares || p->options->by == REPORT_TREE)
		return page_share(p, under);
	return change < 0 ? -change : change;
}

/* The greatest is the last. */
static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct walk *w = ctx;
	const struct page *p = w->page;
	const struct tree_node *x =
		&w->tree->node[((const struct item *)a)->node];
	const struct tree_node *y =
		&w->tree->node[((const struct item *)b)->node];
	double left = weight(p, x->under), right = weight(p, y->under);

	if (left == right)
		left = page_share(p, x->in), right = page_share(p, y->in);
	if (left != right)
		return left > right ? 1 : -1;
	return strcmp((const char *)intern_get(p->labels, y->name, NULL) + 1,
		      (const char *)intern_get(p->labels, x->name, NULL) + 1);
}

static void push(struct walk *w, const struct item *item)
{
	w->todo = xgrow(w->todo, w->n, &w->capacity, sizeof(*w->todo));
	w->todo[w->n++] = *item;
}

/* Push the children that are written; the sum of the others in *rest: of what ended in
 * them, since a list's Under counts stacks more than once. */
static void push_kept(struct walk *w, u32 parent, struct item *rest)
{
	const struct tree_node *node = w->tree->node;
	const struct page *p = w->page;
	bool deep =
		p->options->depth && node[parent].depth >= p->options->depth;

	for (u32 i = parent + 1; i < node[parent].end; i = node[i].end) {
		if (!node[i].under[0] && !node[i].under[1])
			continue;
		if (!deep &&
		    page_share(p, node[i].under) >= p->options->least) {
			push(w, &(struct item){ .node = i });
			continue;
		}
		rest->cut++;
		for (u32 k = i; k < node[i].end; k++)
			for (int side = 0; side < TREE_SIDES; side++)
				rest->under[side] += node[k].in[side];
	}
	/* Together they may be as little as each of them. */
	if (parent && !deep && page_share(p, rest->under) < p->options->least)
		rest->cut = 0;
}

/* What is left out is written last; before a chained child, whose own children follow at
 * the same place. */
static void push_children(struct walk *w, const struct item *of)
{
	const struct tree_node *node = w->tree->node;
	size_t first = w->n, n;
	struct item rest = { 0 };
	bool chained;

	push(w, &rest);
	push_kept(w, of->node, &rest);
	w->todo[first] = rest;
	n = w->n - first - 1;
	qsort_r(w->todo + first + 1, n, sizeof(*w->todo), by_weight, w);
	chained = n == 1 && of->level &&
		  page_share(w->page, node[w->todo[first + 1].node].under) *
				  100 >=
			  page_share(w->page, node[of->node].under) * CHAINED;
	for (size_t i = first; i < w->n; i++) {
		w->todo[i].level = chained    ? of->level
				   : of->node ? of->level + 1
					      : 0;
		w->todo[i].chained = chained;
		w->todo[i].last = i == first + !rest.cut;
	}
	if (chained) {
		rest = w->todo[first];
		w->todo[first] = w->todo[first + 1];
		w->todo[first + 1] = rest;
	}
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

void page_tree(struct page *p, const struct tree *t)
{
	struct walk w = { .page = p, .tree = t, .levels = page_names(p) / 4 };

	if (!w.levels)
		w.levels = 1;
	page_columns(p);
	w.more = xcalloc(w.levels + 1, sizeof(*w.more));
	push_children(&w, &(struct item){ 0 });
	while (w.n && !p->err) {
		struct item item = w.todo[--w.n];

		if (item.node) {
			page_row(p, &t->node[item.node], guide(&w, &item));
			push_children(&w, &item);
		} else if (item.cut) {
			page_cut(p, guide(&w, &item), item.cut, item.under);
		}
	}
	free(w.todo);
	free(w.more);
	buf_release(&w.guide);
}
