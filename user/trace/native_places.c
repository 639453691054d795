/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where a native function is entered and left.
 *
 * A jump is the last thing that a function does if the stack pointer is at the return
 * address there, as call frame information tells.  Then its target is another function, but
 * not always: a rare part can be jumped to before anything was pushed.
 */
#include "user/trace/native.h"

#include <errno.h>

#include "arch/calls.h"
#include "arch/code.h"
#include "arch/probe.h"
#include "user/elf/module.h"
#include "user/lib/search.h"
#include "user/unwind/cfi_program.h"
#include "walkers/walker.h"

#define MAX_PARTS 16

struct places {
	const struct module *m;
	const struct native_functions *functions;
	struct module_function
		part[MAX_PARTS]; /* the function, and rare parts */
	size_t parts;
	struct walker_call enter;
	struct walker_call *call;
	size_t n, max;
	int err;
};

static struct walker_call place_at(const struct places *p, u8 kind, u64 vaddr)
{
	return (struct walker_call){ .vaddr = vaddr,
				     .place = {
					     .kind = kind,
					     .reg = REG_ARG0,
					     .address = { p->part[0].start },
				     } };
}

static void add(struct places *p, struct walker_call call)
{
	if (p->n < p->max)
		p->call[p->n++] = call;
	else
		p->err = -ENOSPC;
}

struct wanted {
	u64 vaddr;
	s64 depth;
};

static int take_row(void *ctx, u64 end, const struct cfi_frame *row)
{
	struct wanted *w = ctx;

	if (w->vaddr >= end)
		return 0;
	if (row->cfa == UNWIND_CFA && row->cfa_reg == REG_STACK)
		w->depth = row->cfa_off;
	return 1;
}

/* Whether the stack pointer is at the return address. */
static bool is_at_return(const struct module *m,
			 const struct module_function *f, u64 vaddr)
{
	const struct frames *frames = module_frames(m);
	struct wanted w = { .vaddr = vaddr };
	struct cfi_program program;

	if (!frames)
		return false;
	cfi_program_init(&program, frames);
	cfi_program_rows(&program, f, take_row, &w);
	return w.depth == DEPTH_ENTRY;
}

static bool is_inside(const struct places *p, u64 vaddr)
{
	for (size_t i = 0; i < p->parts; i++)
		if (vaddr >= p->part[i].start && vaddr < p->part[i].end)
			return true;
	return false;
}

/* Whether addresses or distances there lead into the function. */
static bool is_table(const struct places *p, u64 vaddr)
{
	s32 distance;

	return is_inside(p, module_pointer(p->m, vaddr)) ||
	       (!module_read(p->m, vaddr, &distance, sizeof(distance)) &&
		is_inside(p, vaddr + distance));
}

/* Whether the indirect jump at index at goes through a table of a switch: to the table's
 * address and a distance in it, or to an address in it. */
static bool is_switch(const struct places *p, const struct code *c, int at)
{
	const struct operand *o = &c->insn[at].op[0];

	if (o->kind == OPERAND_REG && o->reg < REG_COUNT) {
		while (--at >= 0 && !(c->insn[at].writes >> o->reg & 1))
			;
		if (at < 0 || c->insn[at].what == INSN_ADD)
			return at >= 0;
		o = &c->insn[at].op[1];
	}
	if (o->kind != OPERAND_MEM || !o->scale)
		return false;
	for (size_t i = 0; i < c->n; i++) {
		u64 made = code_made(&c->insn[i]);

		if (made && is_table(p, made))
			return true;
	}
	return is_table(p, o->value);
}

/* Whether it begins to use memory as its stack that was not below. */
static bool changes_stack(const struct insn *in)
{
	const struct operand *to = &in->op[0], *from = &in->op[1];

	if (!(in->writes >> REG_STACK & 1))
		return false;
	switch (in->what) {
	case INSN_MOV:
		return from->kind == OPERAND_MEM && from->reg != REG_STACK &&
		       from->reg != REG_FRAME;
	case INSN_POP:
		return to->kind == OPERAND_REG && to->reg == REG_STACK;
	case INSN_OTHER: /* an exchange; not an and with a constant */
		return from->kind != OPERAND_IMM &&
		       ((to->kind == OPERAND_REG && to->reg == REG_STACK) ||
			(from->kind == OPERAND_REG && from->reg == REG_STACK));
	default:
		return false;
	}
}

static bool is_rare_part(const struct places *p,
			 const struct module_function *f)
{
	const struct module_function *fn;
	size_t n, i;

	if (!p->functions || module_functions(p->m, &fn, &n))
		return false;
	i = SEARCH(fn, n, start, f->start);
	return i && i <= p->functions->n &&
	       p->functions->whole[i - 1] == p->part[0].start;
}

/* Whether a jump goes to another function, if the stack pointer is at the return address.
 * *to: what covers the target, if that is known. */
static bool leaves(const struct places *p, u64 target,
		   struct module_function *to)
{
	u64 code = 0;

	if (module_function_at(p->m, target, to))
		return true;
	module_read(p->m, target, &code, sizeof(code));
	return arch_is_stub(code) ||
	       (target == to->start && !is_rare_part(p, to));
}

static void take_jump(struct places *p, const struct module_function *f,
		      const struct code *c, int at)
{
	const struct insn *in = &c->insn[at];
	struct module_function to = { 0 };
	struct walker_call call = place_at(p, CALL_NATIVE_TAIL, in->vaddr);

	if (in->target >= p->part[0].start && in->target <= p->enter.vaddr) {
		p->err = -ELOOP;
	} else if (!in->target) {
		if (is_at_return(p->m, f, in->vaddr) && !is_switch(p, c, at))
			add(p, call);
	} else if (is_inside(p, in->target)) {
		return;
	} else if (leaves(p, in->target, &to) &&
		   is_at_return(p->m, f, in->vaddr)) {
		call.place.offset[1] = in->condition;
		if (in->prefixed || (in->what != INSN_JMP && !in->condition))
			p->err = -EILSEQ;
		add(p, call);
	} else if (!to.end || p->parts == MAX_PARTS) {
		p->err = -EILSEQ;
	} else {
		p->part[p->parts++] = to;
	}
}

static void take_part(struct places *p, size_t part)
{
	const struct module_function f = p->part[part];
	int at, distance = 0;
	struct code c;

	p->err = code_decode(&c, p->m, &f);
	if (p->err)
		return;
	if (!c.n || c.insn[c.n - 1].vaddr + c.insn[c.n - 1].size != f.end) {
		p->err = -EILSEQ;
	} else if (!part) {
		at = probe_enter(&c, 0, &distance);
		p->enter = place_at(p, CALL_NATIVE_ENTER,
				    at < 0 ? f.start : c.insn[at].vaddr);
		p->enter.place.offset[0] = distance;
		p->enter.place.stepped = probe_enter(&c, 0, NULL) != at;
		p->err = at < 0 ? -EILSEQ : 0;
	}
	for (size_t i = 0; i < c.n && !p->err; i++) {
		const struct insn *in = &c.insn[i];

		if (changes_stack(in))
			p->err = -ENOTSUP;
		else if (in->returns)
			add(p, place_at(p, CALL_NATIVE_LEAVE, in->vaddr));
		else if (insn_jumps(in))
			take_jump(p, &f, &c, i);
	}
	code_release(&c);
}

int native_places(const struct module *m, const struct native_functions *f,
		  u64 vaddr, struct walker_call *call, size_t max)
{
	struct places p = { .m = m, .functions = f, .call = call, .max = max };

	if (module_function_at(m, vaddr, &p.part[0]) ||
	    p.part[0].start != vaddr || !is_at_return(m, &p.part[0], vaddr))
		return -ENOENT;
	p.parts = 1;
	for (size_t i = 0; i < p.parts && !p.err; i++)
		take_part(&p, i);
	if (!p.err)
		add(&p, p.enter);
	return p.err ? p.err : (int)p.n;
}
