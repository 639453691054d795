/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * TEBCresume(data, interp, result) (generic/tclExecute.c, core-8-6-13) begins
 * with
 *
 *   const unsigned char *pc = data[1];
 *   if (!pc) {	start: pc = codePtr->codeStart } else { resume }
 *
 * and from there on reads opcodes and operands through pc.  So two things are
 * asked of the machine code:
 *
 *   entry  On the straight line to the first conditional jump, which places
 *          hold 8(%rdi) when it is compared with NULL?
 *   uses   Through which of them are many single bytes read, at the distances
 *          that operands have from their opcode?
 *
 * One place must answer both.  In 8.6.0 and 8.6.1 data[1] is a flag, through
 * which nothing is read.
 */
#include "walkers/tcl/derive/tcl_home.h"

#include <errno.h>

#include "user/elf/module.h"
#include "walkers/tcl/tcl.h"
#include "arch/x86_64/code.h"
#include "walkers/tcl/derive/tcl_values.h"

#define RESUME_PC  8  /* bytes from data to data[1] */
#define MAX_PROLOG 20 /* instructions up to the last change of rsp */
/* Bytes from an opcode to its last operand, generously. */
#define MAX_OPERAND 16
#define MAX_HOMES   4
/* Of bytes read through the home; every build that was looked at has 25 to 80,
 * and a pointer to something else has at most a few. */
#define MIN_USES 12

struct homes {
	struct tcl_place place[MAX_HOMES];
	int uses[MAX_HOMES];
	int n;
};

/* Does the conditional jump at index at ask whether a value is 0?  The value's
 * operand, or NULL. */
static const struct operand *asked(const struct code *c, int at)
{
	const struct insn *in;

	if (c->insn[at].what != INSN_JE && c->insn[at].what != INSN_JNE)
		return NULL;
	do
		in = &c->insn[--at];
	while (at > 0 && !in->flags);
	if (in->op[0].size != 8)
		return NULL;
	if (in->what == INSN_CMP)
		return in->op[1].kind == OPERAND_IMM && in->op[1].value == 0
			       ? &in->op[0]
			       : NULL;
	/* test %reg,%reg */
	return in->what == INSN_OTHER && !in->writes && !in->stores &&
			       in->op[0].kind == OPERAND_REG &&
			       in->op[1].kind == OPERAND_REG &&
			       in->op[0].reg == in->op[1].reg
		       ? &in->op[0]
		       : NULL;
}

/* The first conditional jump, if a straight line leads there that begins with
 * the prologue and leaves rdi to the argument; or -1. */
static int first_branch(const struct code *c)
{
	bool moved = false;
	int body = 0;

	for (int i = 0; (size_t)i < c->n; i++) {
		const struct insn *in = &c->insn[i];

		if (in->what == INSN_JE || in->what == INSN_JNE)
			return i - body <= TCL_VALUES_LINE && i ? i : -1;
		if (in->landing || in->what == INSN_CALL || insn_jumps(in) ||
		    in->what == INSN_END)
			return -1;
		moved |= in->writes >> REG_ARG0 & 1;
		if (in->writes >> REG_STACK & 1) {
			body = i + 1;
			if (moved || body > MAX_PROLOG)
				return -1;
		}
	}
	return -1;
}

static void add_home(struct homes *h, struct tcl_place place)
{
	if (h->n < MAX_HOMES)
		h->place[h->n++] = place;
}

/* Where data[1] is when it is asked whether it is NULL. */
static void find_at_entry(const struct code *c, struct tcl_values *v,
			  struct homes *h)
{
	int at = first_branch(c);
	const struct operand *o = at < 0 ? NULL : asked(c, at);
	const struct tcl_node *n;
	struct tcl_value pc;

	if (!o)
		return;
	tcl_values_at(v, c, at);
	pc = tcl_values_operand(v, o);
	n = tcl_values_node(v, pc);
	if (!n || pc.add || n->kind != TCL_LOADED || n->off != RESUME_PC ||
	    v->node[n->base].kind != TCL_INITIAL ||
	    v->node[n->base].place.slot ||
	    v->node[n->base].place.reg != REG_ARG0)
		return;
	for (int i = 0; i < v->n_slots; i++)
		if (tcl_value_same(v->slot[i].value, pc))
			add_home(h, v->slot[i].place);
	for (u8 r = 0; r < REG_COUNT && !h->n; r++)
		if (REGS_KEPT >> r & 1 && tcl_value_same(v->reg[r], pc))
			add_home(h, (struct tcl_place){ false, r, 0 });
}

/* Does the instruction read one byte close behind an address? */
static bool reads_byte(const struct insn *in)
{
	const struct operand *from = &in->op[1];

	return in->op[0].kind == OPERAND_REG && from->kind == OPERAND_MEM &&
	       from->size == 1 && from->plain && from->value >= 0 &&
	       from->value < MAX_OPERAND && from->reg < REG_COUNT &&
	       from->reg != REG_STACK;
}

static void count_uses(const struct code *c, struct tcl_values *v,
		       struct homes *h)
{
	for (int i = 0; (size_t)i < c->n; i++) {
		const struct tcl_node *n;

		if (!reads_byte(&c->insn[i]))
			continue;
		tcl_values_at(v, c, i);
		n = tcl_values_node(v, v->reg[c->insn[i].op[1].reg]);
		for (int j = 0; n && j < h->n; j++)
			if (n->kind == TCL_INITIAL &&
			    tcl_place_same(n->place, h->place[j]))
				h->uses[j]++;
	}
}

/* The one home that is used, or -1. */
static int only_used(const struct homes *h)
{
	int used = -1;

	for (int i = 0; i < h->n; i++) {
		if (h->uses[i] >= MIN_USES && used >= 0)
			return -1;
		if (h->uses[i] >= MIN_USES)
			used = i;
	}
	return used;
}

static int to_role(struct tcl_place p, struct tcl_role *home)
{
	*home = (struct tcl_role){ .kind = TCL_ROLE_REG, .reg = p.reg };
	if (!p.slot)
		return 0;
	home->kind = p.reg == REG_STACK ? TCL_ROLE_RSP : TCL_ROLE_RBP;
	home->reg = 0;
	home->off = (s16)p.off;
	return home->off == p.off ? 0 : -ENOENT;
}

int tcl_home_find(const struct module *m, const struct module_function *tebc,
		  struct tcl_role *home)
{
	struct homes h = { .n = 0 };
	struct tcl_values v;
	struct code c;
	int i = -1;

	if (code_decode(&c, m, tebc))
		return -ENOENT;
	find_at_entry(&c, &v, &h);
	if (h.n)
		count_uses(&c, &v, &h);
	i = only_used(&h);
	code_release(&c);
	return i < 0 ? -ENOENT : to_role(h.place[i], home);
}
