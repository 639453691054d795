/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Sorted stacks make the nodes in pre-order: each adds what it does not share with the
 * one before it. */
#include "user/view/tree.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

void tree_stack(struct tree *t, u32 side, u64 number, u32 id)
{
	t->stack = xgrow(t->stack, t->stacks, &t->stack_capacity,
			 sizeof(*t->stack));
	t->stack[t->stacks++] = (struct tree_stack){
		.at = t->used, .side = side, .id = id, .number = number
	};
}

void tree_name(struct tree *t, u32 name)
{
	t->names =
		xgrow(t->names, t->used, &t->names_capacity, sizeof(*t->names));
	t->names[t->used++] = name;
	t->stack[t->stacks - 1].depth++;
}

/* How many names two stacks begin with alike. */
static u32 alike(const u32 *names, const struct tree_stack *x,
		 const struct tree_stack *y)
{
	u32 i = 0;

	while (i < x->depth && i < y->depth &&
	       names[x->at + i] == names[y->at + i])
		i++;
	return i;
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct tree_stack *x = a, *y = b;
	const u32 *names = ctx;
	u32 i = alike(names, x, y);

	if (i == x->depth || i == y->depth)
		return (x->depth > y->depth) - (x->depth < y->depth);
	return names[x->at + i] < names[y->at + i] ? -1 : 1;
}

static u32 add_node(struct tree *t, u32 parent, u32 name, u32 depth)
{
	t->node = xgrow(t->node, t->n, &t->capacity, sizeof(*t->node));
	t->node[t->n] = (struct tree_node){
		.parent = parent, .name = name, .end = t->n + 1, .depth = depth
	};
	return t->n++;
}

/* The stack's node; at: the last one's, with which it shares so many names. */
static u32 add_stack(struct tree *t, const struct tree_stack *s, u32 same,
		     u32 at)
{
	while (t->node[at].depth > same)
		at = t->node[at].parent;
	while (same < s->depth) {
		at = add_node(t, at, t->names[s->at + same], same + 1);
		same++;
	}
	t->node[at].in[s->side] += s->number;
	return at;
}

/* What is behind a node is complete before the node itself. */
static void add_up(struct tree *t)
{
	for (size_t i = t->n; i-- > 0;) {
		struct tree_node *n = &t->node[i], *up = &t->node[n->parent];

		for (int side = 0; side < TREE_SIDES; side++) {
			n->under[side] += n->in[side];
			if (i)
				up->under[side] += n->under[side];
		}
		if (n->end > up->end)
			up->end = n->end;
	}
}

void tree_build(struct tree *t)
{
	u32 at = add_node(t, 0, 0, 0);

	if (t->stacks)
		qsort_r(t->stack, t->stacks, sizeof(*t->stack), compare,
			t->names);
	for (size_t i = 0; i < t->stacks; i++) {
		struct tree_stack *s = &t->stack[i];

		at = add_stack(t, s, i ? alike(t->names, s, s - 1) : 0, at);
		s->node = at;
	}
	add_up(t);
}

void tree_list(struct tree *t)
{
	_cleanup_free_ size_t *last = NULL; /* stack with this name, from 1 */
	u32 n = 0;

	for (size_t i = 0; i < t->used; i++)
		if (t->names[i] >= n)
			n = t->names[i] + 1;
	last = xcalloc(n + 1, sizeof(*last));
	for (u32 i = 0; i <= n; i++)
		add_node(t, 0, i - 1, i > 0);
	t->node[0].end = n + 1;
	for (size_t i = 0; i < t->stacks; i++) {
		const struct tree_stack *s = &t->stack[i];

		for (u32 k = 0; k < s->depth; k++) {
			u32 name = t->names[s->at + k];
			struct tree_node *node = &t->node[name + 1];

			if (k == s->depth - 1)
				node->in[s->side] += s->number;
			if (last[name] != i + 1)
				node->under[s->side] += s->number;
			last[name] = i + 1;
		}
	}
}

void tree_release(struct tree *t)
{
	free(t->stack);
	free(t->names);
	free(t->node);
}
