/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * TEBCresume's pc (generic/tclExecute.c, core-8-6-13), followed through its
 * machine code.
 *
 * Compilers keep the pc in a register from one bytecode to the next, and in a
 * stack slot where that register is wanted for something else: no one place is
 * right everywhere.  But there is a point of reference.  An opcode goes through
 * the largest jump table, and the address that it was loaded from is the pc.
 *
 *   loads    Backward from that jump: the loads that an opcode comes from.
 *   forward  From each load on: which places hold the address it read from,
 *            plus a constant?  Where paths meet, what all of them agree on.
 *   ahead    Where that has come to an end, because the next bytecode has been
 *            chosen: the place that the next load will read through.
 *
 * What only runs between the function's entry and the first load finishes an
 * invoked command, of which TD's CmdFrame has the pc.
 */
#include "walkers/tcl/derive/tcl_track.h"

#include <errno.h>
#include <stdlib.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"
#include "arch/x86_64/code.h"
#include "arch/x86_64/flow.h"
#include "walkers/tcl/derive/tcl_holders.h"

#define MAX_DISTANCE 32 /* bytes from what is held to the next opcode */

/* Instructions to the next load, at most.  So near to it nothing but the end of
 * one bytecode and the beginning of the next is found. */
#define MAX_AHEAD 24

struct tracker {
	struct tcl_frame_code f;
	struct flow flow;
	u8 *load;		   /* an opcode comes from here */
	u8 *later;		   /* runs after a load */
	struct tcl_holders *state; /* before each instruction */
	struct tcl_holder *ahead;  /* after each instruction */
	int *todo;		   /* instructions to be looked at again */
	u8 *queued;
	size_t n_todo;
};

static void queue(struct tracker *t, int at)
{
	if (!t->queued[at]) {
		t->queued[at] = 1;
		t->todo[t->n_todo++] = at;
	}
}

static int take(struct tracker *t)
{
	int at = t->todo[--t->n_todo];

	t->queued[at] = 0;
	return at;
}

static bool is_general(const struct operand *o)
{
	return o->reg < REG_COUNT && o->reg != REG_STACK;
}

/* One byte close to an address that is not the stack's. */
static bool is_opcode(const struct code *c, const struct operand *o)
{
	return o->kind == OPERAND_MEM && o->size == 1 && o->plain &&
	       !(o->reg == REG_FRAME && c->frame_pointer) &&
	       o->value >= -MAX_DISTANCE && o->value <= MAX_DISTANCE;
}

struct search {
	struct edge *todo; /* instruction, register */
	size_t n;
	u16 *seen; /* registers, bit per number */
	bool found;
};

/* One instruction before the one that wants the opcode in register reg.
 * False: the opcode comes from something else than a load of one byte. */
static bool search_at(struct tracker *t, struct search *s, int at, u8 reg)
{
	const struct insn *in = &t->f.c->insn[at];
	const struct operand *from = &in->op[1];
	bool clobbers = in->what == INSN_CALL ? !(REGS_KEPT >> reg & 1)
					      : in->writes >> reg & 1;

	if (clobbers) {
		if (in->op[0].kind != OPERAND_REG || in->op[0].reg != reg ||
		    !is_general(from))
			return false;
		if (is_opcode(t->f.c, from)) {
			t->load[at] = 1;
			s->found = true;
			return true;
		}
		if (from->kind != OPERAND_REG)
			return false;
		reg = from->reg;
	}
	if (!(s->seen[at] >> reg & 1)) {
		s->seen[at] |= 1u << reg;
		s->todo[s->n++] = (struct edge){ at, reg };
	}
	return true;
}

static bool find_loads(struct tracker *t)
{
	size_t most = t->f.c->n * REG_COUNT + 1;
	_cleanup_free_ u16 *seen = xcalloc(t->f.c->n, sizeof(*seen));
	_cleanup_free_ struct edge *todo = xcalloc(most, sizeof(*todo));
	struct search s = { todo, 1, seen, false };
	const struct operand *opcode;
	const struct edge *edge;

	if (t->flow.dispatch < 0)
		return false;
	opcode = &t->f.c->insn[t->flow.bound].op[0];
	if (opcode->kind != OPERAND_REG || !is_general(opcode))
		return false;
	todo[0] = (struct edge){ t->flow.bound, opcode->reg };
	while (s.n) {
		struct edge e = todo[--s.n];
		size_t n = flow_before(&t->flow, e.from, &edge);

		for (size_t i = 0; i < n; i++)
			if (!search_at(t, &s, edge[i].from, (u8)e.to))
				return false;
	}
	return s.found;
}

static struct tcl_holders state_after(const struct tracker *t, int at)
{
	struct tcl_holders s = t->state[at];

	if (t->load[at])
		tcl_holders_start(&t->f, at, &s);
	tcl_holders_step(&t->f, at, &s);
	return s;
}

static void track_forward(struct tracker *t)
{
	const struct edge *edge;

	t->state[0].reached = true;
	queue(t, 0);
	while (t->n_todo) {
		int at = take(t);
		struct tcl_holders s = state_after(t, at);
		size_t n = flow_next(&t->flow, at, &edge);

		for (size_t i = 0; i < n; i++) {
			int to = edge[i].to;
			bool changed = tcl_holders_meet(&t->state[to], &s);

			if (!t->later[to] && (t->load[at] || t->later[at])) {
				t->later[to] = 1;
				changed = true;
			}
			if (changed)
				queue(t, to);
		}
	}
}

/* A load at a distance is of a bytecode that the engine looks at without its
 * having ended the one before; what is ahead is loaded through its own pc. */
static struct tcl_holder ahead_before(const struct tracker *t, int at)
{
	const struct operand *from = &t->f.c->insn[at].op[1];

	if (t->load[at])
		return (struct tcl_holder){ from->value ? TCL_NO_PLACE
							: from->reg,
					    0 };
	return tcl_holders_before(&t->f, at, t->ahead[at]);
}

/* Nearest loads first. */
static void track_ahead(struct tracker *t)
{
	_cleanup_free_ u8 *far = xcalloc(t->f.c->n + 1, 1);
	const struct edge *edge;

	for (size_t i = 0; i < t->f.c->n; i++) {
		t->ahead[i].place = TCL_NO_PLACE;
		if (t->load[i])
			queue(t, (int)i);
	}
	for (size_t k = 0; k < t->n_todo; k++) {
		int at = t->todo[k];
		struct tcl_holder h = ahead_before(t, at);
		size_t n = flow_before(&t->flow, at, &edge);

		if (h.place == TCL_NO_PLACE || far[at] == MAX_AHEAD)
			continue;
		for (size_t i = 0; i < n; i++) {
			int to = edge[i].from;

			if (t->ahead[to].place != TCL_NO_PLACE)
				continue;
			t->ahead[to] = h;
			far[to] = far[at] + 1;
			queue(t, to);
		}
	}
}

/* One that holds the pc itself rather than near it, and lasts. */
static struct tcl_holder best_of(const struct tcl_holders *s)
{
	struct tcl_holder best = { TCL_NO_PLACE, 0 };
	int highest = -1;

	for (int i = 0; i < s->n; i++) {
		struct tcl_holder h = s->h[i];
		bool lasts = h.place < 0 || (REGS_KEPT >> h.place & 1);
		int score = (h.add == 0) * 2 + lasts;

		if (score > highest) {
			highest = score;
			best = h;
		}
	}
	return best;
}

/* For an instruction, and for a call also while it lasts; as before if that is
 * still good. */
static struct tcl_holder choose(const struct tracker *t, int at,
				struct tcl_holder last)
{
	struct tcl_holders s = t->state[at];
	const struct tcl_holder *h;

	if (!t->later[at])
		return (struct tcl_holder){ TCL_NO_PLACE, 0 };
	if (t->f.c->insn[at].what == INSN_CALL)
		tcl_holders_step(&t->f, at, &s);
	h = tcl_holders_get(&s, last.place);
	if (h && h->add == last.add)
		return last;
	return s.n ? best_of(&s) : ahead_before(t, at);
}

static bool to_range(const struct tracker *t, int at, struct tcl_holder h,
		     struct tcl_track_range *r)
{
	const struct insn *in = &t->f.c->insn[at];

	*r = (struct tcl_track_range){ .start = in->vaddr,
				       .end = in->vaddr + in->size };
	if (!t->later[at]) {
		r->finishing = t->state[at].reached;
		return r->finishing;
	}
	if (h.place == TCL_NO_PLACE || h.place != (s16)h.place)
		return false;
	r->add = -h.add;
	if (h.place >= 0) {
		r->role.kind = TCL_ROLE_REG;
		r->role.reg = (u8)h.place;
	} else {
		r->role.kind = TCL_ROLE_CFA;
		r->role.off = (s16)h.place;
	}
	return true;
}

static bool continues(const struct tcl_track *out,
		      const struct tcl_track_range *r)
{
	const struct tcl_track_range *last;

	if (!out->n)
		return false;
	last = &out->range[out->n - 1];
	return last->end == r->start && last->role.kind == r->role.kind &&
	       last->role.reg == r->role.reg && last->role.off == r->role.off &&
	       last->add == r->add && last->finishing == r->finishing;
}

static void add_ranges(const struct tracker *t, struct tcl_track *out)
{
	struct tcl_holder last = { TCL_NO_PLACE, 0 };
	struct tcl_track_range r;
	size_t capacity = 0;

	for (int i = 0; (size_t)i < t->f.c->n; i++) {
		last = choose(t, i, last);
		if (!to_range(t, i, last, &r))
			continue;
		if (continues(out, &r)) {
			out->range[out->n - 1].end = r.end;
			continue;
		}
		out->range = xgrow(out->range, out->n, &capacity,
				   sizeof(*out->range));
		out->range[out->n++] = r;
	}
}

static int track(struct tracker *t, int *depth, struct tcl_track *out)
{
	size_t n = t->f.c->n + 1;
	_cleanup_free_ u8 *load = t->load = xcalloc(n, 1);
	_cleanup_free_ u8 *later = t->later = xcalloc(n, 1);
	_cleanup_free_ u8 *queued = t->queued = xcalloc(n, 1);
	_cleanup_free_ int *todo = t->todo = xcalloc(n, sizeof(*todo));
	_cleanup_free_ struct tcl_holders *state = t->state =
		xcalloc(n, sizeof(*state));
	_cleanup_free_ struct tcl_holder *ahead = t->ahead =
		xcalloc(n, sizeof(*ahead));

	if (!find_loads(t))
		return -ENOENT;
	flow_depths(&t->flow, t->f.c, depth);
	track_forward(t);
	track_ahead(t);
	add_ranges(t, out);
	return out->n ? 0 : -ENOENT;
}

int tcl_track_find(struct tcl_track *out, const struct module *m,
		   const struct module_function *tebc)
{
	struct tracker t = { .n_todo = 0 };
	_cleanup_free_ int *depth = NULL;
	struct code c;
	int err;

	*out = (struct tcl_track){ .n = 0 };
	if (code_decode(&c, m, tebc))
		return -ENOENT;
	depth = code_depths(&c);
	t.f = (struct tcl_frame_code){ &c, depth };
	err = c.n ? flow_open(&t.flow, &c, m) : -ENOENT;
	if (!err) {
		err = track(&t, depth, out);
		flow_release(&t.flow);
	}
	code_release(&c);
	return err;
}

void tcl_track_release(struct tcl_track *t)
{
	free(t->range);
	*t = (struct tcl_track){ .n = 0 };
}
