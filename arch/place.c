/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Slots are what is addressed by the stack pointer, whose depth flow_open() tells, or by
 * the frame pointer where there is one.
 */
#include "arch/place.h"

/* Where it is not known how deep the stack is, slots have names far from all others. As
 * long as the depth does not change they can be told apart. */
#define UNKNOWN_DEPTH (1 << 20)
#define MAX_SLOT      (1 << 18)

s32 place_of(const struct code *c, int at, const struct operand *o)
{
	int depth = c->insn[at].depth;
	bool frame = o->reg == REG_FRAME && c->frame_pointer;

	if (o->kind == OPERAND_REG && o->reg < REG_ALL && o->reg != REG_STACK)
		return o->reg;
	if (o->kind != OPERAND_MEM || !o->plain || o->value > MAX_SLOT ||
	    o->value < -MAX_SLOT || (!frame && o->reg != REG_STACK))
		return PLACE_NONE;
	if (frame)
		depth = DEPTH_FRAME;
	else if (depth < 0 || depth > MAX_SLOT)
		depth = UNKNOWN_DEPTH;
	return PLACE_SLOT + (s32)o->value - depth;
}

bool place_overwritten(const struct code *c, int at, s32 place)
{
	const struct insn *in = &c->insn[at];
	s32 to;

	if (place < 0 || (place >= REG_ALL && !place_is_slot(place)))
		return false;
	if (!place_is_slot(place)) {
		if (in->what == INSN_CALL)
			return !place_survives(place);
		if (place >= REG_UPPER)
			place -= REG_UPPER - REG_VECTOR;
		return in->writes >> place & 1;
	}
	if (!in->stores)
		return false;
	to = place_of(c, at, &in->op[0]);
	return place_is_slot(to) &&
	       (to < PLACE_SLOT - UNKNOWN_DEPTH / 2 ||
		(to < place + 8 && to + in->op[0].size > place));
}

bool place_move(const struct code *c, int at, struct move *m)
{
	const struct insn *in = &c->insn[at];
	const struct operand *from = &in->op[1];

	if (in->op[0].size != 8)
		return false;
	m->to = m->from = place_of(c, at, &in->op[0]);
	m->add = from->value;
	if (in->what == INSN_MOV) {
		m->from = place_of(c, at, from);
		m->add = 0;
	} else if (in->what == INSN_LEA && from->plain) {
		m->from = from->reg == REG_STACK ? PLACE_NONE : from->reg;
	} else if (in->what == INSN_SUB && from->kind == OPERAND_IMM) {
		m->add = -from->value;
	} else if (in->what != INSN_ADD || from->kind != OPERAND_IMM) {
		return false;
	}
	return m->to != PLACE_NONE && m->from != PLACE_NONE;
}
