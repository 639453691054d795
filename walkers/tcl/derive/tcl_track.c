/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Follows TEBCresume's pc (generic/tclExecute.c, core-8-6-13) through its machine code.
 *
 * Compilers keep the pc in a register from one bytecode to the next, and in a stack slot
 * where they use that register for something else.  So no single place is right
 * everywhere.  But an opcode selects an entry of the largest jump table, and the pc is the
 * address that the opcode was loaded from.
 *
 *   loads    Backward from that jump: the loads that an opcode comes from.
 *   forward  From each load on: the places that hold the address it read from, plus a
 *            constant.  Where paths meet, those that all of them agree on.
 *   ahead    Where no place holds it any more because the next bytecode has been chosen:
 *            the place that the next load will read through.
 *
 * Code that only runs between the function's entry and the first load finishes an
 * invoked command, and TD's CmdFrame has the pc.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "arch/flow.h"
#include "arch/holders.h"
#include "arch/place.h"

#define MAX_DISTANCE 32 /* bytes from what is held to the next opcode */

/* Limit of instructions to the next load.  Within it there is only the end of one
 * bytecode and the beginning of the next. */
#define MAX_AHEAD 24

struct tracker {
	const struct code *c;
	struct flow flow;
	u8 *load;	       /* an opcode comes from here */
	struct holders *state; /* before each instruction */
	struct holder *ahead;  /* after each instruction */
	int *todo;	       /* instructions before which to look */
	size_t n_todo;
};

static void forget(struct tracker *t)
{
	t->n_todo = 0;
	for (size_t i = 0; i < t->c->n; i++)
		t->ahead[i].place = PLACE_NONE;
}

/* Whether the operand is one byte close to an address that is not on the stack. */
static bool is_opcode(const struct code *c, const struct operand *o)
{
	return o->kind == OPERAND_MEM && o->size == 1 && o->plain &&
	       o->reg != REG_STACK &&
	       !(o->reg == REG_FRAME && c->frame_pointer) &&
	       o->value >= -MAX_DISTANCE && o->value <= MAX_DISTANCE;
}

/* Wants the opcode in a place before the instruction at index at.  false: it is wanted in
 * another place there already. */
static bool look_for(struct tracker *t, int at, s32 place)
{
	if (t->ahead[at].place == PLACE_NONE) {
		t->ahead[at].place = place;
		t->todo[t->n_todo++] = at;
	}
	return place != PLACE_NONE && t->ahead[at].place == place;
}

/* One instruction before the one that wants the opcode in a place.  False: the opcode
 * comes from something else than a load of one byte. */
static bool search_at(struct tracker *t, int at, s32 place)
{
	const struct insn *in = &t->c->insn[at];

	if (!place_overwritten(t->c, at, place))
		return look_for(t, at, place);
	if (place_of(t->c, at, &in->op[0]) != place)
		return false;
	if (!is_opcode(t->c, &in->op[1]))
		return look_for(t, at, place_of(t->c, at, &in->op[1]));
	t->load[at] = 1;
	return true;
}

static bool find_loads(struct tracker *t)
{
	int bound = t->flow.bound;
	const int *edge;

	if (bound < 0 ||
	    !look_for(t, bound,
		      place_of(t->c, bound, &t->c->insn[bound].op[0])))
		return false;
	for (size_t k = 0; k < t->n_todo; k++) {
		int at = t->todo[k];
		size_t n = flow_edges(&t->flow.before, at, &edge);

		for (size_t i = 0; i < n; i++)
			if (!search_at(t, edge[i], t->ahead[at].place))
				return false;
	}
	return memchr(t->load, 1, t->c->n);
}

static void begin(void *ctx, struct holders *s, int at)
{
	const struct tracker *t = ctx;

	if (t->load[at])
		holders_start(s, t->c, at);
}

/* The place before the instruction.  A load at a distance from the pc reads a bytecode
 * that the engine looks at before it has ended the current one, so it tells nothing. */
static struct holder ahead_before(const struct tracker *t, int at)
{
	const struct operand *from = &t->c->insn[at].op[1];

	if (t->load[at])
		return (struct holder){ from->value ? PLACE_NONE : from->reg,
					0 };
	return holders_before(t->ahead[at], t->c, at);
}

/* Nearest loads first. */
static void track_ahead(struct tracker *t)
{
	_cleanup_free_ u8 *far = xcalloc(t->c->n + 1, 1);
	const int *edge;

	forget(t);
	for (size_t i = 0; i < t->c->n; i++)
		if (t->load[i])
			t->todo[t->n_todo++] = (int)i;
	for (size_t k = 0; k < t->n_todo; k++) {
		int at = t->todo[k];
		struct holder h = ahead_before(t, at);
		size_t n = flow_edges(&t->flow.before, at, &edge);

		if (h.place == PLACE_NONE || far[at] == MAX_AHEAD)
			continue;
		for (size_t i = 0; i < n; i++) {
			int to = edge[i];

			if (t->ahead[to].place != PLACE_NONE)
				continue;
			t->ahead[to] = h;
			far[to] = far[at] + 1;
			if (!t->load[to])
				t->todo[t->n_todo++] = to;
		}
	}
}

/* The holder at an instruction; at a call, one that is right until the call returns.  The
 * last instruction's holder is kept if it is right here, too; else any is as good. */
static struct holder choose(const struct tracker *t, int at, struct holder last)
{
	struct holders s = t->state[at];
	const struct holder *h;

	if (!t->state[at].later)
		return (struct holder){ PLACE_NONE, 0 };
	if (t->c->insn[at].what == INSN_CALL)
		holders_step(&s, t->c, at);
	h = holders_get(&s, last.place);
	if (h && h->add == last.add)
		return last;
	return s.n ? s.h[0] : ahead_before(t, at);
}

static bool to_range(const struct tracker *t, int at, struct holder h,
		     struct tcl_pc_range *r)
{
	const struct insn *in = &t->c->insn[at];

	*r = (struct tcl_pc_range){ .start = in->vaddr - t->c->start };
	r->end = r->start + in->size;
	if (!t->state[at].later) {
		r->finishing = t->state[at].reached;
		return r->finishing;
	}
	r->add = -h.add;
	return tcl_role_of(h.place, &r->role);
}

static bool continues(const struct tcl_pc_range *last,
		      const struct tcl_pc_range *r)
{
	return last->end == r->start && last->role.kind == r->role.kind &&
	       last->role.reg == r->role.reg && last->role.off == r->role.off &&
	       last->add == r->add && last->finishing == r->finishing;
}

static u32 fill(const struct tracker *t, struct tcl_pc_range *range)
{
	struct holder last = { PLACE_NONE, 0 };
	struct tcl_pc_range r;
	u32 n = 0;

	for (int i = 0; (size_t)i < t->c->n; i++) {
		last = choose(t, i, last);
		if (!to_range(t, i, last, &r))
			continue;
		if (n && continues(&range[n - 1], &r))
			range[n - 1].end = r.end;
		else if (n < TCL_MAX_PC_RANGES)
			range[n++] = r;
	}
	return n;
}

static u32 track(struct tracker *t, struct tcl_pc_range *range)
{
	size_t n = t->c->n + 1;
	_cleanup_free_ u8 *load = t->load = xcalloc(n, 1);
	_cleanup_free_ struct holders *state = t->state =
		xcalloc(n, sizeof(*state));
	_cleanup_free_ struct holder *ahead = t->ahead =
		xcalloc(n, sizeof(*ahead));
	_cleanup_free_ int *todo = t->todo = xcalloc(n, sizeof(*todo));

	forget(t);
	if (!t->flow.complete || !find_loads(t))
		return 0;
	holders_follow(state, t->c, &t->flow, begin, t);
	track_ahead(t);
	return fill(t, range);
}

u32 tcl_track_find(struct tcl_pc_range range[TCL_MAX_PC_RANGES],
		   const struct module *m, u64 tebc)
{
	struct tracker t;
	struct code c;
	u32 n;

	if (code_decode_at(&c, m, tebc))
		return 0;
	t.c = &c;
	flow_open(&t.flow, &c, m);
	n = track(&t, range);
	flow_release(&t.flow);
	code_release(&c);
	return n;
}
