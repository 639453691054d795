/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The control flow between the instructions of one function, and the depth of the
 * stack.
 *
 * An indirect jump is one through a table of a switch: 4-byte distances from
 * the table's own address, or in code at a fixed address 8-byte addresses.  A
 * compare with a constant a few instructions before bounds the index.
 */
#include "arch/flow.h"

#include <stdlib.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"
#include "arch/code.h"

#define MAX_CASES 256
#define MAX_EDGES (1u << 20)
#define MAX_SETUP 10 /* instructions from the compare to the jump */
#define MAX_DEPTH (1 << 24)

struct build {
	struct flow *f;
	struct code *c;
	const struct module *m;
	size_t n, capacity; /* of f->next.to */
	s64 largest;
};

struct table {
	u64 vaddr;
	int size; /* bytes of an entry */
	int bound;
	s64 last; /* index */
};

static void add_next(struct build *b, int to)
{
	if (to < 0 || (size_t)to >= b->c->n)
		return;
	if (b->n >= MAX_EDGES) {
		b->f->complete = false;
		return;
	}
	b->f->next.to = xgrow(b->f->next.to, b->n, &b->capacity, sizeof(int));
	b->f->next.to[b->n++] = to;
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

/* Whether target is outside the function.  A switch case may lie in the part that
 * compilers move away as rare. */
static bool leaves(const struct build *b, u64 target)
{
	struct module_function f;

	return !module_function_at(b->m, target, &f) && f.start != b->c->start;
}

static bool add_cases(struct build *b, int at)
{
	struct table t;

	if (!find_table(b->c, at, &t))
		return false;
	for (s64 i = 0; i <= t.last; i++) {
		u64 target = 0;

		if (module_read(b->m, t.vaddr + i * t.size, &target, t.size))
			return false;
		if (t.size == 4)
			target = t.vaddr + (s64)(s32)target;
		if (code_index(b->c, target) < 0 && !leaves(b, target))
			return false;
		add_next(b, code_index(b->c, target));
	}
	if (t.last > b->largest) {
		b->largest = t.last;
		b->f->bound = t.bound;
	}
	return true;
}

static void find_next(struct build *b)
{
	struct flow *f = b->f;

	for (int i = 0; (size_t)i < b->c->n; i++) {
		const struct insn *in = &b->c->insn[i];

		f->next.first[i] = b->n;
		if (in->what == INSN_JMP && !in->target) {
			f->complete &= add_cases(b, i);
			continue;
		}
		add_next(b, in->to);
		if (in->what != INSN_JMP && in->what != INSN_END)
			add_next(b, i + 1);
	}
	f->next.first[b->c->n] = b->n;
}

static void find_before(struct flow *f, size_t n, size_t edges)
{
	size_t *first = f->before.first;
	const struct edges *next = &f->next;

	f->before.to = xcalloc(edges + 1, sizeof(int));
	for (size_t i = 0; i < edges; i++)
		first[next->to[i]]++;
	for (size_t i = 1; i <= n; i++)
		first[i] += first[i - 1];
	/* Each begins at the end of its own now, and goes down as they are put in. */
	for (size_t i = n; i-- > 0;)
		for (size_t k = next->first[i]; k < next->first[i + 1]; k++)
			f->before.to[--first[next->to[k]]] = (int)i;
}

struct depths {
	struct code *c;
	int *todo; /* indexes whose depth was not followed */
	size_t n;
};

/* Each instruction is queued at most twice: with its depth, then with -1. */
static void reach(struct depths *d, int at, int depth)
{
	int *known = &d->c->insn[at].depth;

	if (depth > MAX_DEPTH || *known == depth || *known == -1)
		return;
	*known = *known == -2 ? depth : -1;
	d->todo[d->n++] = at;
}

static void find_depths(const struct flow *f, struct code *c)
{
	_cleanup_free_ int *todo = xcalloc(2 * c->n + 2, sizeof(int));
	struct depths d = { c, todo, 0 };
	const int *next;

	for (size_t i = 0; i < c->n; i++)
		c->insn[i].depth = -2;
	if (c->n)
		reach(&d, 0, DEPTH_ENTRY);
	while (d.n) {
		int at = todo[--d.n], depth = c->insn[at].depth;
		size_t n = flow_edges(&f->next, at, &next);

		if (depth != -1)
			depth = code_depth_after(c, at, depth);
		for (size_t i = 0; i < n; i++)
			reach(&d, next[i], depth < 0 ? -1 : depth);
	}
	for (size_t i = 0; i < c->n; i++)
		if (c->insn[i].depth < 0)
			c->insn[i].depth = -1;
}

void flow_open(struct flow *f, struct code *c, const struct module *m)
{
	struct build b = { .f = f, .c = c, .m = m };

	*f = (struct flow){ .bound = -1, .complete = true };
	f->next.first = xcalloc(c->n + 1, sizeof(size_t));
	f->before.first = xcalloc(c->n + 1, sizeof(size_t));
	find_next(&b);
	find_before(f, c->n, b.n);
	find_depths(f, c);
}

void flow_depths(struct code *c, const struct module *m)
{
	struct flow f;

	flow_open(&f, c, m);
	flow_release(&f);
}

void flow_release(struct flow *f)
{
	free(f->next.to);
	free(f->before.to);
	free(f->next.first);
	free(f->before.first);
	*f = (struct flow){ .bound = -1 };
}
