/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Evaluation of a straight line: it begins where other code may jump to, or
 * behind a call or a change of rsp, so within it every place has one history.
 *
 * Stack slots are those at rsp, and at rbp where that is the frame pointer.
 * Only 8-byte moves between places, additions of constants and loads have
 * names; every other result is unknown.  A store through another pointer is
 * taken not to hit a slot: compilers keep there what no pointer leads to.
 */
#include "walkers/tcl/derive/tcl_values.h"

#include <string.h>

static int line_start(const struct code *c, int at)
{
	int first = at;

	if (c->insn[at].landing)
		return at;
	while (first > 0 && at - first < TCL_VALUES_LINE) {
		const struct insn *in = &c->insn[first - 1];

		if (in->what == INSN_CALL || in->what == INSN_JMP ||
		    in->what == INSN_END || (in->writes >> REG_STACK & 1))
			break;
		first--;
		if (in->landing)
			break;
	}
	return first;
}

static struct tcl_value add_node(struct tcl_values *v, struct tcl_node node)
{
	if (v->n_nodes >= TCL_VALUES_NODES)
		return (struct tcl_value){ 0 };
	v->node[v->n_nodes] = node;
	return (struct tcl_value){ .node = v->n_nodes++ };
}

bool tcl_values_slot(const struct code *c, const struct operand *o,
		     struct tcl_place *place)
{
	if (o->kind != OPERAND_MEM || !o->plain || o->value != (s32)o->value)
		return false;
	if (o->reg != REG_STACK && !(o->reg == REG_FRAME && c->frame_pointer))
		return false;
	*place = (struct tcl_place){ true, o->reg, (s32)o->value };
	return true;
}

/* What a slot holds now; a slot not seen before gets its name here. */
static struct tcl_value slot_value(struct tcl_values *v, struct tcl_place place)
{
	struct tcl_value value;

	for (int i = 0; i < v->n_slots; i++)
		if (tcl_place_same(v->slot[i].place, place))
			return v->slot[i].value;
	if (v->n_slots >= TCL_VALUES_SLOTS)
		return (struct tcl_value){ 0 };
	value = add_node(v, (struct tcl_node){ TCL_INITIAL, .place = place });
	v->slot[v->n_slots].place = place;
	v->slot[v->n_slots++].value = value;
	return value;
}

static void set_slot(struct tcl_values *v, struct tcl_place place, u8 size,
		     struct tcl_value value)
{
	slot_value(v, place);
	for (int i = 0; i < v->n_slots; i++) {
		struct tcl_place p = v->slot[i].place;

		if (p.reg != place.reg || p.off >= place.off + size ||
		    p.off + 8 <= place.off)
			continue;
		v->slot[i].value = p.off == place.off && size == 8
					   ? value
					   : (struct tcl_value){ 0 };
	}
}

static struct tcl_value address_of(const struct tcl_values *v,
				   const struct operand *o)
{
	struct tcl_value value = { 0 };

	if (o->kind != OPERAND_MEM || !o->plain || o->reg >= REG_COUNT)
		return value;
	value = v->reg[o->reg];
	value.add += o->value;
	return value;
}

struct tcl_value tcl_values_operand(struct tcl_values *v,
				    const struct operand *o)
{
	struct tcl_value address;
	struct tcl_place place;

	if (o->kind == OPERAND_REG && o->size == 8 && o->reg < REG_COUNT)
		return v->reg[o->reg];
	if (o->kind != OPERAND_MEM || o->size != 8)
		return (struct tcl_value){ 0 };
	if (tcl_values_slot(v->code, o, &place))
		return slot_value(v, place);
	address = address_of(v, o);
	if (!address.node)
		return address;
	return add_node(v, (struct tcl_node){ TCL_LOADED, .base = address.node,
					      .off = address.add });
}

static struct tcl_value result_of(struct tcl_values *v, const struct insn *in)
{
	struct tcl_value value;

	if (in->op[0].size != 8)
		return (struct tcl_value){ 0 };
	if (in->what == INSN_MOV)
		return tcl_values_operand(v, &in->op[1]);
	if (in->what == INSN_LEA)
		return address_of(v, &in->op[1]);
	if ((in->what == INSN_ADD || in->what == INSN_SUB) &&
	    in->op[1].kind == OPERAND_IMM) {
		value = tcl_values_operand(v, &in->op[0]);
		value.add += in->what == INSN_ADD ? in->op[1].value
						  : -in->op[1].value;
		return value;
	}
	return (struct tcl_value){ 0 };
}

static void note_store(struct tcl_values *v, const struct insn *in,
		       struct tcl_value value, int at)
{
	struct tcl_place place;

	if (tcl_values_slot(v->code, &in->op[0], &place)) {
		set_slot(v, place, in->op[0].size, value);
		return;
	}
	if (v->n_stores >= TCL_VALUES_STORES)
		return;
	v->store[v->n_stores].address = address_of(v, &in->op[0]);
	v->store[v->n_stores].value = value;
	v->store[v->n_stores++].at = at;
}

static void step(struct tcl_values *v, const struct insn *in, int at)
{
	struct tcl_value value = result_of(v, in);

	if (in->stores)
		note_store(v, in, value, at);
	for (int r = 0; r < REG_COUNT; r++)
		if (in->writes >> r & 1)
			v->reg[r] = (struct tcl_value){ 0 };
	if (in->op[0].kind == OPERAND_REG && in->op[0].reg < REG_COUNT &&
	    (in->writes >> in->op[0].reg & 1))
		v->reg[in->op[0].reg] = value;
}

void tcl_values_at(struct tcl_values *v, const struct code *c, int at)
{
	memset(v, 0, sizeof(*v));
	v->code = c;
	v->n_nodes = 1;
	for (int r = 0; r < REG_COUNT; r++)
		v->reg[r] = add_node(
			v, (struct tcl_node){ TCL_INITIAL, .place.reg = r });
	v->first = line_start(c, at);
	for (int i = v->first; i < at; i++)
		step(v, &c->insn[i], i);
}

const struct tcl_node *tcl_values_node(const struct tcl_values *v,
				       struct tcl_value value)
{
	return value.node ? &v->node[value.node] : NULL;
}

bool tcl_values_survives(struct tcl_place p)
{
	return p.slot || (REGS_KEPT >> p.reg & 1);
}

static void add_place(struct tcl_places *p, struct tcl_place place)
{
	if (p->n < TCL_MAX_PLACES && tcl_values_survives(place))
		p->place[p->n++] = place;
}

void tcl_values_places(const struct tcl_values *v, struct tcl_value value,
		       struct tcl_places *p)
{
	p->n = 0;
	for (u8 r = 0; r < REG_COUNT; r++)
		if (r != REG_STACK && tcl_value_same(v->reg[r], value))
			add_place(p, (struct tcl_place){ false, r, 0 });
	for (int i = 0; i < v->n_slots; i++)
		if (tcl_value_same(v->slot[i].value, value))
			add_place(p, v->slot[i].place);
}

bool tcl_values_role(struct tcl_place p, int depth, struct tcl_role *role)
{
	s64 off = p.off;

	*role = (struct tcl_role){ .kind = TCL_ROLE_REG, .reg = p.reg };
	if (!p.slot)
		return true;
	role->kind = TCL_ROLE_RBP;
	if (p.reg == REG_STACK) {
		if (depth < 0)
			return false;
		role->kind = TCL_ROLE_CFA;
		off -= depth;
	}
	role->reg = 0;
	role->off = (s16)off;
	return role->off == off;
}
