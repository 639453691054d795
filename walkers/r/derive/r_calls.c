/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where calls begin and end (walkers/r/kernel/r_calls.bpf.c).
 *
 * Rf_begincontext() and Rf_endcontext() are exported, and begin and end the contexts of all
 * closures.  Every jump to a context ends with the call of siglongjmp() in R_jumpctxt(),
 * which Rf_endcontext() calls to go on with a jump (src/main/context.c, R-4-0-4 to
 * R-4-6-1).  glibc calls it siglongjmp() or, with _FORTIFY_SOURCE, __longjmp_chk().
 */
#include "walkers/r/derive/r_file.h"

#include <string.h>

#include "arch/probe.h"
#include "arch/refs.h"
#include "walkers/walker.h"

#define STUB_SIZE 16 /* bytes of an entry of the PLT */
#define MAX_SLOTS 4

/* GOT slots that have the address of siglongjmp(). */
struct slots {
	u64 at[MAX_SLOTS];
	size_t n;
};

static int add_slot(const struct module_reloc *r, void *ctx)
{
	struct slots *s = ctx;

	if (r->symbol && strstr(r->symbol, "longjmp") && s->n < MAX_SLOTS)
		s->at[s->n++] = r->vaddr;
	return 0;
}

static bool goes_by_slot(const struct slots *s, const struct insn *in)
{
	const struct operand *op = &in->op[0];

	if ((in->what != INSN_CALL && in->what != INSN_JMP) ||
	    op->kind != OPERAND_MEM || op->reg != REG_NONE)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i] == (u64)op->value)
			return true;
	return false;
}

/* Whether it calls siglongjmp(), by itself or through an entry of the PLT. */
static bool jumps(const struct slots *s, const struct module *m,
		  const struct insn *in)
{
	struct code stub;
	bool found = false;

	if (in->what != INSN_CALL || !in->target)
		return goes_by_slot(s, in);
	if (code_decode_some(&stub, m, in->target, STUB_SIZE))
		return false;
	for (size_t i = 0; i < stub.n && !found; i++) {
		found = goes_by_slot(s, &stub.insn[i]);
		if (stub.insn[i].what == INSN_JMP)
			break;
	}
	code_release(&stub);
	return found;
}

/* vaddr of the one call of siglongjmp() in what Rf_endcontext() calls; 0: there is none, or
 * more than one. */
static u64 find_jump(const struct module *m)
{
	struct refs called =
		refs_of(m, r_file_export(m, "Rf_endcontext"), REFS_CALLED);
	struct slots slots = { 0 };
	u64 found = 0;
	size_t n = 0;

	module_each_reloc(m, add_slot, &slots);
	for (size_t i = 0; slots.n && i < called.n; i++) {
		struct code c;

		if (code_decode_at(&c, m, called.at[i]))
			continue;
		for (size_t k = 0; k < c.n; k++) {
			if (!jumps(&slots, m, &c.insn[k]))
				continue;
			found = c.insn[k].vaddr;
			n++;
		}
		code_release(&c);
	}
	return n == 1 ? found : 0;
}

/* Sets *f to a function at its place for a probe; vaddr of it.  That is probe_place(), or
 * else the first call.  0: there is none that every call comes to.  The caller releases
 * f->code unless it is 0. */
static u64 open_place(struct r_flow *f, const struct module *m, u64 vaddr)
{
	u64 place = probe_place(m, vaddr);

	if (r_flow_open(f, m, vaddr))
		return 0;
	for (int at = 0; at >= 0; at = r_flow_next(f, at)) {
		const struct insn *in = &f->code.insn[at];

		if (place ? in->vaddr == place
			  : in->what == INSN_CALL && in->target)
			return in->vaddr;
		if (in->landing || insn_jumps(in) || in->what == INSN_CALL)
			break;
	}
	code_release(&f->code);
	return 0;
}

/* The register that has the n-th argument; REG_COUNT: none. */
static u8 register_of(const struct r_flow *f, int n)
{
	u8 reg = 0;

	while (reg < REG_COUNT &&
	       r_flow_origin(f, f->values.reg[reg]) != R_ARG(n))
		reg++;
	return reg;
}

static struct walker_call find_end(const struct module *m)
{
	struct walker_call call = { .place = { .kind = R_CALL_END } };
	struct r_flow f;

	call.vaddr = open_place(&f, m, r_file_export(m, "Rf_endcontext"));
	if (!call.vaddr)
		return call;
	call.place.reg = register_of(&f, 0);
	if (call.place.reg == REG_COUNT)
		call.vaddr = 0;
	code_release(&f.code);
	return call;
}

/* The seventh argument is on the stack, where the caller's frame ends. */
static struct walker_call find_begin(const struct module *m)
{
	struct walker_call call = { .place = { .kind = R_CALL_BEGIN,
					       .reg = REG_ARG0 } };
	u8 used[] = { REG_ARG0, REG_ARG1, REG_ARG2, REG_ARG3 };
	struct r_flow f;
	int at;

	call.vaddr = open_place(&f, m, r_file_export(m, "Rf_begincontext"));
	if (!call.vaddr)
		return call;
	at = code_index(&f.code, call.vaddr);
	call.place.offset[R_CALL_FUNCTION] = f.code.insn[at].depth;
	for (size_t i = 0; i < sizeof(used); i++)
		if (r_flow_origin(&f, f.values.reg[used[i]]) != R_ARG(i))
			call.vaddr = 0;
	if (f.code.insn[at].depth <= 0)
		call.vaddr = 0;
	code_release(&f.code);
	return call;
}

size_t r_calls_find(const struct r_file *file, const struct module *m,
		    struct walker_call *call)
{
	const struct r_layout *l = &file->row->layout;
	bool is_c = l->layout == 'C';

	if (!is_c && l->layout != 'B')
		return 0;
	call[0] = find_end(m);
	call[1] = (struct walker_call){
		.vaddr = find_jump(m),
		.place = { .kind = R_CALL_JUMP, .reg = REG_ARG0 },
	};
	call[2] = find_begin(m);
	for (size_t i = 0; i < R_CALL_KINDS; i++) {
		if (!call[i].vaddr)
			return 0;
		/* src/include/Defn.h, RCNTXT, R-4-0-4 to R-4-6-1. */
		call[i].place.offset[R_CALL_TARGET] = is_c ? 416 : 392;
		call[i].place.offset[R_CALL_VALUE] = is_c ? 408 : 384;
		call[i].place.offset[R_CALL_TAILS] = is_c;
		call[i].place.offset[R_CALL_DATA] = l->vector_data;
	}
	return R_CALL_KINDS;
}
