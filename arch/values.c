/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Moves between places, additions of constants and loads have names. Every other result
 * is unknown, so what is not understood loses facts and never makes up any. A vector
 * register is two places of 8 bytes.
 *
 * Stack slots are addressed by the stack pointer, or by the frame pointer where there is
 * one. A store through another pointer is taken not to hit a slot.
 */
#include "arch/values.h"

#include <string.h>

#include "user/elf/module.h"

static struct value unknown(void)
{
	return (struct value){ 0 };
}

static struct value number(s64 n)
{
	return (struct value){ .node = 1, .add = n };
}

static struct value add_node(struct values *v, u8 kind, s32 place,
			     struct value base)
{
	if (v->n_nodes >= VALUES_NODES)
		return unknown();
	v->node[v->n_nodes] = (struct node){ kind, place, base.node, base.add };
	return (struct value){ .node = v->n_nodes++ };
}

void values_begin(struct values *v, const struct code *c)
{
	memset(v, 0, sizeof(*v));
	v->code = c;
	v->node[1].kind = NODE_NUMBER;
	v->n_nodes = 2;
	for (s32 r = 0; r < REG_COUNT; r++)
		v->reg[r] = add_node(v, NODE_INITIAL, r, unknown());
}

/* What a slot holds now; a slot not seen before gets its name here. */
static struct value *slot(struct values *v, s32 place)
{
	for (int i = 0; i < v->n_slots; i++)
		if (v->slot[i].place == place)
			return &v->slot[i].value;
	if (v->n_slots >= VALUES_SLOTS)
		return NULL;
	v->slot[v->n_slots].place = place;
	v->slot[v->n_slots].value = add_node(v, NODE_INITIAL, place, unknown());
	return &v->slot[v->n_slots++].value;
}

static struct value get(struct values *v, s32 place)
{
	struct value *held = place_is_slot(place) ? slot(v, place)
			     : place >= 0	  ? &v->reg[place]
						  : NULL;

	return held ? *held : unknown();
}

static void put_slot(struct values *v, s32 place, int size, struct value value)
{
	slot(v, place);
	for (int i = 0; i < v->n_slots; i++) {
		s32 other = v->slot[i].place;

		if (other == place && size >= 4)
			v->slot[i].value = value;
		else if (other < place + size && other + 8 > place)
			v->slot[i].value = unknown();
	}
}

static struct value address_of(const struct values *v, const struct operand *o)
{
	struct value value = unknown();

	if (o->kind != OPERAND_MEM)
		return value;
	if (o->plain && o->reg < REG_COUNT)
		value = v->reg[o->reg];
	else if (o->reg == REG_NONE && !o->scale)
		value = number(0);
	value.add += value.node ? o->value : 0;
	return value;
}

/* The 8 bytes of an operand that are part * 8 bytes above its begin. */
static struct value part_of(struct values *v, int at, const struct operand *o,
			    int part)
{
	s32 place = place_of(v->code, at, o);
	struct value value;

	if (o->kind == OPERAND_IMM)
		return number(o->value);
	if (place_is_slot(place))
		return get(v, place + 8 * part);
	if (place != PLACE_NONE || o->kind != OPERAND_MEM)
		return get(v, place + part * (REG_UPPER - REG_VECTOR));
	value = address_of(v, o);
	value.add += 8 * part;
	return value.node ? add_node(v, NODE_LOADED, PLACE_NONE, value) : value;
}

struct value values_operand(struct values *v, int at, const struct operand *o)
{
	if (o->size != 8 || o->kind == OPERAND_IMM)
		return unknown();
	return part_of(v, at, o, 0);
}

static struct value low_half(struct values *v, int at, const struct operand *o)
{
	struct value value = part_of(v, at, o, 0);

	if (!value.node || o->kind == OPERAND_IMM ||
	    v->node[value.node].kind == NODE_LOW)
		return value;
	return add_node(v, NODE_LOW, PLACE_NONE, value);
}

/* The part of the first operand that is part * 8 bytes above its begin. */
static struct value result_of(struct values *v, int at, int part)
{
	const struct insn *in = &v->code->insn[at];
	const struct operand *op = in->op;
	struct value value;
	struct move m;

	if (in->what == INSN_JOIN)
		return part_of(v, at, &op[1 + part], 0);
	if (in->what == INSN_MOV && op[0].size == 4)
		return low_half(v, at, &op[1]);
	if (op[0].size < 8)
		return unknown();
	if (in->what == INSN_MOV)
		return part_of(v, at, &op[1], part);
	if (in->what == INSN_LEA)
		return address_of(v, &op[1]);
	if (!place_move(v->code, at, &m))
		return unknown();
	value = get(v, m.from);
	value.add += m.add;
	return value;
}

static void put(struct values *v, int at, int part, struct value value)
{
	const struct operand *to = &v->code->insn[at].op[0];
	s32 place = place_of(v->code, at, to);
	struct value address;

	if (place_is_slot(place)) {
		put_slot(v, place + 8 * part, to->size < 8 ? to->size : 8,
			 value);
	} else if (place != PLACE_NONE) {
		v->reg[place + part * (REG_UPPER - REG_VECTOR)] = value;
	} else if (to->kind == OPERAND_MEM && v->n_stores < VALUES_STORES) {
		address = address_of(v, to);
		address.add += 8 * part;
		v->store[v->n_stores].address = address;
		v->store[v->n_stores].value = value;
		v->store[v->n_stores++].at = at;
	}
}

/* Of registers only what is returned is lost in a call: compiled code reads another one
 * after it, without writing it first, only when it knows that the callee kept it. */
void values_step(struct values *v, int at)
{
	const struct insn *in = &v->code->insn[at];
	int parts = in->op[0].size == 16 ? 2 : 1;
	struct value value[2];

	if (in->what == INSN_CALL) {
		v->reg[REG_RESULT] = unknown();
		return;
	}
	for (int i = 0; i < parts; i++)
		value[i] = result_of(v, at, i);
	for (s32 r = 0; r < REG_UPPER; r++) {
		if (!(in->writes >> r & 1))
			continue;
		v->reg[r] = unknown();
		if (r >= REG_VECTOR)
			v->reg[r + REG_UPPER - REG_VECTOR] = unknown();
	}
	for (int i = 0; i < parts; i++)
		if (in->stores ||
		    (in->op[0].kind == OPERAND_REG &&
		     place_overwritten(v->code, at, in->op[0].reg)))
			put(v, at, i, value[i]);
}

static int line_start(const struct code *c, int at)
{
	int first = at;

	if (c->insn[at].landing)
		return at;
	while (first > 0 && at - first < VALUES_LINE) {
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

void values_at(struct values *v, const struct code *c, int at)
{
	values_begin(v, c);
	v->first = line_start(c, at);
	for (int i = v->first; i < at; i++)
		values_step(v, i);
}

int values_next(const struct code *c, int at)
{
	const struct insn *in = &c->insn[at];

	if (in->what == INSN_END || (size_t)at + 1 >= c->n)
		return -1;
	if (in->what != INSN_JMP)
		return at + 1;
	return in->to > at ? in->to : -1;
}

void values_places(const struct values *v, struct value value, struct places *p)
{
	p->n = 0;
	for (s32 r = 0; r < REG_COUNT && p->n < MAX_PLACES; r++)
		if (place_survives(r) && value_same(v->reg[r], value))
			p->place[p->n++] = r;
	for (int i = 0; i < v->n_slots && p->n < MAX_PLACES; i++)
		if (value_same(v->slot[i].value, value))
			p->place[p->n++] = v->slot[i].place;
}

u64 values_address(const struct values *v, const struct module *m,
		   struct value value)
{
	const struct node *n = values_node(v, value);
	u64 target;

	if (n->kind == NODE_NUMBER)
		return value.add;
	if (n->kind != NODE_LOADED || v->node[n->base].kind != NODE_NUMBER)
		return 0;
	target = module_pointer(m, n->off);
	return target ? target + value.add : 0;
}
