/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One address, followed from place to place: moves of 8 bytes, and additions of
 * small constants.  Anything else that is written to a place ends it, and a
 * call ends the registers that it need not save.  A store through a pointer is
 * taken not to hit a slot, as in tcl_values.c.
 */
#include "walkers/tcl/derive/tcl_holders.h"

#include "arch/x86_64/code.h"
#include "walkers/tcl/derive/tcl_values.h"

#define MAX_ADD 64 /* bytes between the address and what is held */

static s32 place_of(const struct tcl_frame_code *f, int at,
		    const struct operand *o)
{
	struct tcl_place p;

	if (o->kind == OPERAND_REG && o->size == 8 && o->reg < REG_COUNT &&
	    o->reg != REG_STACK)
		return o->reg;
	if (o->size != 8 || !tcl_values_slot(f->c, o, &p))
		return TCL_NO_PLACE;
	if (p.reg == REG_FRAME)
		return p.off - 16 < 0 ? p.off - 16 : TCL_NO_PLACE;
	return f->depth[at] > 0 && p.off < f->depth[at] ? p.off - f->depth[at]
							: TCL_NO_PLACE;
}

static void put(struct tcl_holders *s, s32 place, s64 add)
{
	if (place == TCL_NO_PLACE || add > MAX_ADD || add < -MAX_ADD)
		return;
	for (int i = 0; i < s->n; i++)
		if (s->h[i].place == place)
			return;
	if (s->n < TCL_MAX_HOLDERS)
		s->h[s->n++] = (struct tcl_holder){ place, (s32)add };
}

const struct tcl_holder *tcl_holders_get(const struct tcl_holders *s, s32 place)
{
	for (int i = 0; i < s->n; i++)
		if (s->h[i].place == place)
			return &s->h[i];
	return NULL;
}

bool tcl_holders_overwrites(const struct tcl_frame_code *f, int at, s32 place)
{
	const struct insn *in = &f->c->insn[at];
	struct operand o = in->op[0];
	s32 to;

	if (place >= 0)
		return in->what == INSN_CALL ? !(REGS_KEPT >> place & 1)
					     : in->writes >> place & 1;
	if (!in->stores)
		return false;
	o.size = 8;
	to = place_of(f, at, &o);
	return to != TCL_NO_PLACE && to < place + 8 &&
	       to + in->op[0].size > place;
}

static void drop_overwritten(const struct tcl_frame_code *f, int at,
			     struct tcl_holders *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		if (!tcl_holders_overwrites(f, at, s->h[i].place))
			s->h[n++] = s->h[i];
	s->n = n;
}

/* If the instruction makes place *to of place *from plus *add. */
static bool derives(const struct tcl_frame_code *f, int at, s32 *to, s32 *from,
		    s32 *add)
{
	const struct insn *in = &f->c->insn[at];
	s64 value = in->op[1].value;

	*to = *from = place_of(f, at, &in->op[0]);
	*add = 0;
	if (in->what == INSN_MOV) {
		*from = place_of(f, at, &in->op[1]);
	} else if (in->what == INSN_LEA) {
		if (!in->op[1].plain || in->op[1].reg == REG_STACK)
			return false;
		*from = in->op[1].reg;
	} else if ((in->what != INSN_ADD && in->what != INSN_SUB) ||
		   in->op[1].kind != OPERAND_IMM) {
		return false;
	}
	if (in->what != INSN_MOV && (value > MAX_ADD || value < -MAX_ADD))
		return false;
	if (in->what != INSN_MOV)
		*add = in->what == INSN_SUB ? -(s32)value : (s32)value;
	return *to != TCL_NO_PLACE && *from != TCL_NO_PLACE;
}

void tcl_holders_start(const struct tcl_frame_code *f, int at,
		       struct tcl_holders *s)
{
	const struct operand *from = &f->c->insn[at].op[1];
	const struct tcl_holder *base = tcl_holders_get(s, from->reg);
	struct tcl_holders fresh = { .reached = true };
	struct tcl_value pc;
	struct tcl_values v;

	tcl_values_at(&v, f->c, at);
	pc = v.reg[from->reg];
	for (u8 r = 0; r < REG_COUNT; r++)
		if (r != REG_STACK && pc.node && v.reg[r].node == pc.node)
			put(&fresh, r, v.reg[r].add - pc.add - from->value);
	for (int i = 0; i < v.n_slots; i++) {
		struct operand o = { .kind = OPERAND_MEM,
				     .size = 8,
				     .reg = v.slot[i].place.reg,
				     .plain = true,
				     .value = v.slot[i].place.off };

		if (pc.node && v.slot[i].value.node == pc.node)
			put(&fresh, place_of(f, at, &o),
			    v.slot[i].value.add - pc.add - from->value);
	}
	put(&fresh, from->reg, -from->value);
	for (int i = 0; base && i < s->n; i++)
		put(&fresh, s->h[i].place,
		    s->h[i].add - base->add - from->value);
	*s = fresh;
}

void tcl_holders_step(const struct tcl_frame_code *f, int at,
		      struct tcl_holders *s)
{
	const struct tcl_holder *h = NULL;
	s32 to, from, add, sum = 0;

	if (derives(f, at, &to, &from, &add))
		h = tcl_holders_get(s, from);
	if (h)
		sum = h->add + add;
	drop_overwritten(f, at, s);
	if (h)
		put(s, to, sum);
}

bool tcl_holders_meet(struct tcl_holders *s, const struct tcl_holders *other)
{
	int n = 0, before = s->n;

	if (!s->reached) {
		*s = *other;
		s->reached = true;
		return true;
	}
	for (int i = 0; i < s->n; i++) {
		const struct tcl_holder *h =
			tcl_holders_get(other, s->h[i].place);

		if (h && h->add == s->h[i].add)
			s->h[n++] = s->h[i];
	}
	s->n = n;
	return n != before;
}

struct tcl_holder tcl_holders_before(const struct tcl_frame_code *f, int at,
				     struct tcl_holder h)
{
	s32 to, from, add;

	if (h.place == TCL_NO_PLACE)
		return h;
	if (derives(f, at, &to, &from, &add) && to == h.place)
		return (struct tcl_holder){ from, h.add - add };
	if (tcl_holders_overwrites(f, at, h.place))
		h.place = TCL_NO_PLACE;
	return h;
}
