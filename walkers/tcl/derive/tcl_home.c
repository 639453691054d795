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
#include "walkers/tcl/derive/tcl_code.h"
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
static const struct tcl_operand *asked(const struct tcl_code *c, int at)
{
	const struct tcl_insn *in;

	if (c->insn[at].what != TCL_JE && c->insn[at].what != TCL_JNE)
		return NULL;
	do
		in = &c->insn[--at];
	while (at > 0 && !in->flags);
	if (in->op[0].size != 8)
		return NULL;
	if (in->what == TCL_CMP)
		return in->op[1].kind == TCL_IMM && in->op[1].value == 0
			       ? &in->op[0]
			       : NULL;
	/* test %reg,%reg */
	return in->what == TCL_OTHER && !in->writes && !in->stores &&
			       in->op[0].kind == TCL_REG &&
			       in->op[1].kind == TCL_REG &&
			       in->op[0].reg == in->op[1].reg
		       ? &in->op[0]
		       : NULL;
}

/* The first conditional jump, if a straight line leads there that begins with
 * the prologue and leaves rdi to the argument; or -1. */
static int first_branch(const struct tcl_code *c)
{
	bool moved = false;
	int body = 0;

	for (int i = 0; (size_t)i < c->n; i++) {
		const struct tcl_insn *in = &c->insn[i];

		if (in->what == TCL_JE || in->what == TCL_JNE)
			return i - body <= TCL_VALUES_LINE && i ? i : -1;
		if (in->landing || in->what == TCL_CALL || tcl_insn_jumps(in) ||
		    in->what == TCL_END)
			return -1;
		moved |= in->writes >> TCL_RDI & 1;
		if (in->writes >> TCL_RSP & 1) {
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
static void find_at_entry(const struct tcl_code *c, struct tcl_values *v,
			  struct homes *h)
{
	int at = first_branch(c);
	const struct tcl_operand *o = at < 0 ? NULL : asked(c, at);
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
	    v->node[n->base].place.reg != TCL_RDI)
		return;
	for (int i = 0; i < v->n_slots; i++)
		if (tcl_value_same(v->slot[i].value, pc))
			add_home(h, v->slot[i].place);
	for (u8 r = 0; r < TCL_REGS && !h->n; r++)
		if (TCL_CALLEE_SAVED >> r & 1 && tcl_value_same(v->reg[r], pc))
			add_home(h, (struct tcl_place){ false, r, 0 });
}

/* Does the instruction read one byte close behind an address? */
static bool reads_byte(const struct tcl_insn *in)
{
	const struct tcl_operand *from = &in->op[1];

	return in->op[0].kind == TCL_REG && from->kind == TCL_MEM &&
	       from->size == 1 && from->plain && from->value >= 0 &&
	       from->value < MAX_OPERAND && from->reg < TCL_REGS &&
	       from->reg != TCL_RSP;
}

static void count_uses(const struct tcl_code *c, struct tcl_values *v,
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
	home->kind = p.reg == TCL_RSP ? TCL_ROLE_RSP : TCL_ROLE_RBP;
	home->reg = 0;
	home->off = (s16)p.off;
	return home->off == p.off ? 0 : -ENOENT;
}

int tcl_home_find(const struct module *m, const struct module_function *tebc,
		  struct tcl_role *home)
{
	struct homes h = { .n = 0 };
	struct tcl_values v;
	struct tcl_code c;
	int i = -1;

	if (tcl_code_open(&c, m, tebc))
		return -ENOENT;
	find_at_entry(&c, &v, &h);
	if (h.n)
		count_uses(&c, &v, &h);
	i = only_used(&h);
	tcl_code_release(&c);
	return i < 0 ? -ENOENT : to_role(h.place[i], home);
}
