/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Decoding by capstone.  The bounds of a function come from .eh_frame, so
 * a linear sweep meets instructions only; compilers put no data there.
 */
#include "walkers/tcl/derive/tcl_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/elf/module.h"

#define MAX_FUNCTION (256u << 10) /* bytes; TEBCresume has 40 KB */

/* clang-format off */
#define REGS(X) \
	X(TCL_RAX, RAX, EAX, AX, AL) X(TCL_RDX, RDX, EDX, DX, DL) \
	X(TCL_RCX, RCX, ECX, CX, CL) X(TCL_RBX, RBX, EBX, BX, BL) \
	X(TCL_RSI, RSI, ESI, SI, SIL) X(TCL_RDI, RDI, EDI, DI, DIL) \
	X(TCL_RBP, RBP, EBP, BP, BPL) X(TCL_RSP, RSP, ESP, SP, SPL) \
	X(8, R8, R8D, R8W, R8B) X(9, R9, R9D, R9W, R9B) \
	X(10, R10, R10D, R10W, R10B) X(11, R11, R11D, R11W, R11B) \
	X(12, R12, R12D, R12W, R12B) X(13, R13, R13D, R13W, R13B) \
	X(14, R14, R14D, R14W, R14B) X(15, R15, R15D, R15W, R15B)
/* clang-format on */

static u8 reg_number(unsigned int reg)
{
	switch (reg) {
#define X(n, a, b, c, d)  \
	case X86_REG_##a: \
	case X86_REG_##b: \
	case X86_REG_##c: \
	case X86_REG_##d: \
		return n;
		REGS(X)
#undef X
	case X86_REG_AH:
		return TCL_RAX;
	case X86_REG_BH:
		return TCL_RBX;
	case X86_REG_CH:
		return TCL_RCX;
	case X86_REG_DH:
		return TCL_RDX;
	default:
		return TCL_NO_REG;
	}
}

static u8 what_of(const cs_insn *in)
{
	static const struct {
		unsigned int id;
		u8 what;
	} table[] = {
		{ X86_INS_MOV, TCL_MOV },     { X86_INS_MOVABS, TCL_MOV },
		{ X86_INS_LEA, TCL_LEA },     { X86_INS_ADD, TCL_ADD },
		{ X86_INS_SUB, TCL_SUB },     { X86_INS_CMP, TCL_CMP },
		{ X86_INS_PUSH, TCL_PUSH },   { X86_INS_POP, TCL_POP },
		{ X86_INS_LEAVE, TCL_LEAVE }, { X86_INS_NOP, TCL_NOP },
		{ X86_INS_CALL, TCL_CALL },   { X86_INS_JMP, TCL_JMP },
		{ X86_INS_JE, TCL_JE },	      { X86_INS_JNE, TCL_JNE },
		{ X86_INS_RET, TCL_END },     { X86_INS_UD2, TCL_END },
		{ X86_INS_HLT, TCL_END },     { X86_INS_INT3, TCL_END },
		{ X86_INS_INC, TCL_ADD },     { X86_INS_DEC, TCL_SUB },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (in->id == table[i].id)
			return table[i].what;
	for (int i = 0; i < in->detail->groups_count; i++)
		if (in->detail->groups[i] == X86_GRP_JUMP)
			return TCL_JCC;
	return TCL_OTHER;
}

static void set_operand(struct tcl_operand *o, const cs_insn *in,
			const cs_x86_op *op)
{
	o->size = op->size;
	o->reg = TCL_NO_REG;
	switch (op->type) {
	case X86_OP_REG:
		o->kind = TCL_REG;
		o->reg = reg_number(op->reg);
		break;
	case X86_OP_IMM:
		o->kind = TCL_IMM;
		o->value = op->imm;
		break;
	case X86_OP_MEM:
		o->kind = TCL_MEM;
		o->value = op->mem.disp;
		o->reg = reg_number(op->mem.base);
		if (op->mem.base == X86_REG_RIP)
			o->value += (s64)(in->address + in->size);
		o->plain = o->reg != TCL_NO_REG &&
			   op->mem.index == X86_REG_INVALID &&
			   op->mem.segment == X86_REG_INVALID;
		break;
	default:
		break;
	}
}

static void set_effects(struct tcl_insn *out, csh handle, const cs_insn *in)
{
	cs_regs reads, writes;
	u8 n_reads, n_writes;

	if (cs_regs_access(handle, in, reads, &n_reads, writes, &n_writes)) {
		out->writes = 0xffff;
		out->flags = out->stores = true;
		return;
	}
	for (int i = 0; i < n_writes; i++) {
		u8 reg = reg_number(writes[i]);

		if (reg != TCL_NO_REG)
			out->writes |= 1u << reg;
		if (writes[i] == X86_REG_EFLAGS)
			out->flags = true;
	}
	/* capstone 4 leaves the access of some operands out. */
	if (out->op[0].kind == TCL_REG && out->op[0].reg != TCL_NO_REG &&
	    out->what != TCL_CMP && out->what != TCL_PUSH &&
	    out->what != TCL_CALL && !tcl_insn_jumps(out) &&
	    in->id != X86_INS_TEST && in->id != X86_INS_BT)
		out->writes |= 1u << out->op[0].reg;
	out->stores = out->op[0].kind == TCL_MEM && out->what != TCL_CMP &&
		      out->what != TCL_CALL && !tcl_insn_jumps(out) &&
		      in->id != X86_INS_TEST && out->what != TCL_PUSH &&
		      out->what != TCL_NOP;
	if (out->what == TCL_NOP)
		out->writes = 0;
}

static void convert(struct tcl_insn *out, csh handle, const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;

	*out = (struct tcl_insn){ .vaddr = in->address,
				  .size = in->size,
				  .what = what_of(in) };
	for (int i = 0; i < x->op_count && i < 2; i++)
		set_operand(&out->op[i], in, &x->operands[i]);
	if (in->id == X86_INS_INC || in->id == X86_INS_DEC)
		out->op[1] = (struct tcl_operand){ .kind = TCL_IMM,
						   .size = out->op[0].size,
						   .reg = TCL_NO_REG,
						   .value = 1 };
	if ((out->what == TCL_CALL || tcl_insn_jumps(out)) &&
	    out->op[0].kind == TCL_IMM)
		out->target = out->op[0].value;
	set_effects(out, handle, in);
}

static void decode(struct tcl_code *c, csh handle, const u8 *bytes)
{
	cs_insn *in = cs_malloc(handle);
	size_t left = c->end - c->start, capacity = 0;
	uint64_t vaddr = c->start;

	if (!in)
		return;
	while (left && cs_disasm_iter(handle, &bytes, &left, &vaddr, in)) {
		c->insn = xgrow(c->insn, c->n, &capacity, sizeof(*c->insn));
		convert(&c->insn[c->n++], handle, in);
	}
	cs_free(in, 1);
}

int tcl_code_index(const struct tcl_code *c, u64 vaddr)
{
	size_t low = SEARCH(c->insn, c->n, vaddr, vaddr);

	return low && c->insn[low - 1].vaddr == vaddr ? (int)low - 1 : -1;
}

static void find_landings(struct tcl_code *c)
{
	for (size_t i = 0; i < c->n; i++) {
		int to = -1;

		if (tcl_insn_jumps(&c->insn[i]) && c->insn[i].target)
			to = tcl_code_index(c, c->insn[i].target);
		if (to >= 0)
			c->insn[to].landing = true;
	}
}

/* "push %rbp; mov %rsp,%rbp" at the entry, with nothing pushed in between. */
static bool has_frame_pointer(const struct tcl_code *c)
{
	bool pushed = false;

	for (size_t i = 0; i < c->n && i < 12; i++) {
		const struct tcl_insn *in = &c->insn[i];

		if (in->what == TCL_PUSH) {
			if (pushed || in->op[0].reg != TCL_RBP)
				return false;
			pushed = true;
		} else if (in->writes >> TCL_RBP & 1) {
			return pushed && in->what == TCL_MOV &&
			       in->op[1].kind == TCL_REG &&
			       in->op[1].reg == TCL_RSP && in->op[1].size == 8;
		} else if (in->writes >> TCL_RSP & 1) {
			return false;
		}
	}
	return false;
}

int tcl_code_open(struct tcl_code *c, const struct module *m,
		  const struct module_function *f)
{
	_cleanup_free_ u8 *bytes = NULL;
	csh handle;
	int err;

	*c = (struct tcl_code){ .start = f->start, .end = f->end };
	if (f->end <= f->start || f->end - f->start > MAX_FUNCTION)
		return -E2BIG;
	if (module_spend(m, f->end - f->start))
		return -E2BIG;
	bytes = xmalloc(f->end - f->start);
	err = module_read(m, f->start, bytes, f->end - f->start);
	if (err)
		return err;
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle))
		return -ENOTSUP;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	decode(c, handle, bytes);
	cs_close(&handle);
	find_landings(c);
	c->frame_pointer = has_frame_pointer(c);
	return 0;
}

void tcl_code_release(struct tcl_code *c)
{
	free(c->insn);
	*c = (struct tcl_code){ 0 };
}

int tcl_code_depth_after(const struct tcl_code *c, const struct tcl_insn *in,
			 int depth)
{
	bool immediate = in->op[1].kind == TCL_IMM && in->op[0].kind == TCL_REG;

	if (!(in->writes >> TCL_RSP & 1) || in->what == TCL_CALL)
		return depth;
	if (in->what == TCL_PUSH)
		return depth + 8;
	if (in->what == TCL_POP && in->op[0].reg != TCL_RSP)
		return depth - 8;
	if (in->what == TCL_SUB && immediate)
		return depth + (int)in->op[1].value;
	if (in->what == TCL_ADD && immediate)
		return depth - (int)in->op[1].value;
	if (in->what == TCL_LEA && in->op[1].plain)
		return in->op[1].reg == TCL_RSP ? depth - (int)in->op[1].value
		       : in->op[1].reg == TCL_RBP && c->frame_pointer
			       ? 16 - (int)in->op[1].value
			       : -1;
	if (in->what == TCL_LEAVE && c->frame_pointer)
		return 8;
	return -1;
}

struct depth_walk {
	const struct tcl_code *c;
	int *depth;
	int *todo; /* indexes that have a depth and were not followed */
	size_t n;
};

/* Each instruction is queued at most twice: with its depth, then with -1. */
static void reach(struct depth_walk *w, int to, int depth)
{
	if (to < 0 || (size_t)to >= w->c->n || depth > (1 << 24))
		return;
	if (w->depth[to] == depth || w->depth[to] == -1)
		return;
	w->depth[to] = w->depth[to] == -2 ? depth : -1;
	w->todo[w->n++] = to;
}

static void follow(struct depth_walk *w, int at)
{
	const struct tcl_insn *in = &w->c->insn[at];
	int depth = w->depth[at];

	if (depth != -1)
		depth = tcl_code_depth_after(w->c, in, depth);
	if (depth < 0)
		depth = -1;
	if (tcl_insn_jumps(in) && in->target)
		reach(w, tcl_code_index(w->c, in->target), depth);
	if (in->what != TCL_JMP && in->what != TCL_END)
		reach(w, at + 1, depth);
}

int *tcl_code_depths(const struct tcl_code *c)
{
	_cleanup_free_ int *todo = xcalloc(2 * c->n + 2, sizeof(int));
	struct depth_walk w = { c, xcalloc(c->n + 1, sizeof(int)), todo, 0 };

	for (size_t i = 0; i < c->n; i++)
		w.depth[i] = -2;
	reach(&w, 0, 8);
	while (w.n)
		follow(&w, todo[--w.n]);
	for (size_t i = 0; i < c->n; i++)
		if (w.depth[i] < 0)
			w.depth[i] = -1;
	return w.depth;
}
