/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The edges between the instructions of one function.
 *
 * An indirect jump is one through a table of a switch: 4-byte distances from
 * the table's own address, or in code at a fixed address 8-byte addresses.  A
 * compare with a constant a few instructions before bounds the index.
 */
#include "arch/x86_64/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"
#include "arch/x86_64/code.h"

#define MAX_CASES 256
#define MAX_EDGES (1u << 20)
#define MAX_SETUP 10 /* instructions from the compare to the jump */

struct build {
	struct flow *f;
	const struct code *c;
	const struct module *m;
	size_t capacity;
	s64 largest;
};

struct table {
	u64 vaddr;
	int size; /* bytes of an entry */
	int bound;
	s64 last; /* index */
};

static void add_edge(struct build *b, int from, int to)
{
	struct flow *f = b->f;

	if (to < 0 || (size_t)to >= b->c->n || f->n >= MAX_EDGES)
		return;
	f->next = xgrow(f->next, f->n, &b->capacity, sizeof(*f->next));
	f->next[f->n++] = (struct edge){ from, to };
}

/* The table that the jump at index at goes through. */
static bool find_table(const struct code *c, int at, struct table *t)
{
	const struct operand *to = &c->insn[at].op[0];

	*t = (struct table){ .bound = -1, .size = 4 };
	if (to->kind == OPERAND_MEM) {
		t->vaddr = to->reg == REG_NONE ? (u64)to->value : 0;
		t->size = 8;
	}
	for (int i = at - 1; i >= 0 && i >= at - MAX_SETUP; i--) {
		const struct insn *in = &c->insn[i];

		if (in->what == INSN_LEA && in->op[1].reg == REG_NONE &&
		    !t->vaddr)
			t->vaddr = in->op[1].value;
		if (in->what == INSN_CMP && in->op[1].kind == OPERAND_IMM) {
			t->bound = i;
			t->last = in->op[1].value & 0xff;
			break;
		}
	}
	return t->vaddr && t->bound >= 0 && t->last < MAX_CASES;
}

/* A case may be in the part that compilers put elsewhere, for what is rare. */
static bool leaves(const struct build *b, u64 target)
{
	struct module_function f;

	return !module_function_at(b->m, target, &f) && f.start != b->c->start;
}

static int add_cases(struct build *b, int at)
{
	struct table t;
	u64 target;
	s32 distance;

	if (!find_table(b->c, at, &t))
		return -ENOENT;
	for (s64 i = 0; i <= t.last; i++) {
		if (t.size == 8) {
			if (module_read(b->m, t.vaddr + i * 8, &target, 8))
				return -ENOENT;
		} else {
			if (module_read(b->m, t.vaddr + i * 4, &distance, 4))
				return -ENOENT;
			target = t.vaddr + (s64)distance;
		}
		if (code_index(b->c, target) < 0 && !leaves(b, target))
			return -ENOENT;
		add_edge(b, at, code_index(b->c, target));
	}
	if (t.last > b->largest) {
		b->largest = t.last;
		b->f->dispatch = at;
		b->f->bound = t.bound;
	}
	return 0;
}

static int by_to(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return x->to != y->to ? (x->to > y->to) - (x->to < y->to)
			      : (x->from > y->from) - (x->from < y->from);
}

int flow_open(struct flow *f, const struct code *c, const struct module *m)
{
	struct build b = { f, c, m, 0, 0 };

	*f = (struct flow){ .dispatch = -1, .bound = -1 };
	for (int i = 0; (size_t)i < c->n; i++) {
		const struct insn *in = &c->insn[i];

		if (in->what == INSN_JMP && !in->target) {
			if (add_cases(&b, i)) {
				flow_release(f);
				return -ENOENT;
			}
			continue;
		}
		if (insn_jumps(in))
			add_edge(&b, i, code_index(c, in->target));
		if (in->what != INSN_JMP && in->what != INSN_END)
			add_edge(&b, i, i + 1);
	}
	if (f->n >= MAX_EDGES) {
		flow_release(f);
		return -ENOENT;
	}
	f->before = xcalloc(f->n + 1, sizeof(*f->before));
	if (f->n)
		memcpy(f->before, f->next, f->n * sizeof(*f->before));
	qsort(f->before, f->n, sizeof(*f->before), by_to);
	return 0;
}

void flow_release(struct flow *f)
{
	free(f->next);
	free(f->before);
	*f = (struct flow){ .dispatch = -1 };
}

/* Those of n edges, sorted by that end, that have it in common. */
static size_t edges_at(const struct edge *first, size_t n, size_t end,
		       int place, const struct edge **edge)
{
#define END(i) (*(const int *)((const char *)&first[i] + end))
	size_t low = 0, high = n, found = 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (END(mid) < place)
			low = mid + 1;
		else
			high = mid;
	}
	*edge = first + low;
	while (low + found < n && END(low + found) == place)
		found++;
	return found;
#undef END
}

size_t flow_next(const struct flow *f, int from, const struct edge **edge)
{
	return edges_at(f->next, f->n, offsetof(struct edge, from), from, edge);
}

size_t flow_before(const struct flow *f, int to, const struct edge **edge)
{
	return edges_at(f->before, f->n, offsetof(struct edge, to), to, edge);
}

void flow_depths(const struct flow *f, const struct code *c, int *depth)
{
	_cleanup_free_ int *todo = xcalloc(c->n + 1, sizeof(*todo));
	const struct edge *edge;
	size_t left = 0;

	for (size_t i = 0; i < c->n; i++)
		if (depth[i] >= 0)
			todo[left++] = (int)i;
	while (left) {
		int at = todo[--left];
		size_t n = flow_next(f, at, &edge);
		int after = code_depth_after(c, &c->insn[at], depth[at]);

		/* Each instruction gets its depth, and a turn, once. */
		for (size_t i = 0; i < n && after >= 0; i++) {
			if (depth[edge[i].to] >= 0)
				continue;
			depth[edge[i].to] = after;
			todo[left++] = edge[i].to;
		}
	}
}
