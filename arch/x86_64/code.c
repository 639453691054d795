/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Decoding by capstone.  The bounds of a function come from .eh_frame, so
 * a linear sweep meets instructions only; compilers put no data there.
 */
#include "arch/x86_64/code.h"

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
	X(REG_RESULT, RAX, EAX, AX, AL) X(REG_ARG2, RDX, EDX, DX, DL) \
	X(REG_ARG3, RCX, ECX, CX, CL) X(3, RBX, EBX, BX, BL) \
	X(REG_ARG1, RSI, ESI, SI, SIL) X(REG_ARG0, RDI, EDI, DI, DIL) \
	X(REG_FRAME, RBP, EBP, BP, BPL) X(REG_STACK, RSP, ESP, SP, SPL) \
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
		return REG_RESULT;
	case X86_REG_BH:
		return 3;
	case X86_REG_CH:
		return REG_ARG3;
	case X86_REG_DH:
		return REG_ARG2;
	default:
		return REG_NONE;
	}
}

static u8 what_of(const cs_insn *in)
{
	static const struct {
		unsigned int id;
		u8 what;
	} table[] = {
		{ X86_INS_MOV, INSN_MOV },     { X86_INS_MOVABS, INSN_MOV },
		{ X86_INS_LEA, INSN_LEA },     { X86_INS_ADD, INSN_ADD },
		{ X86_INS_SUB, INSN_SUB },     { X86_INS_CMP, INSN_CMP },
		{ X86_INS_PUSH, INSN_PUSH },   { X86_INS_POP, INSN_POP },
		{ X86_INS_LEAVE, INSN_LEAVE }, { X86_INS_NOP, INSN_NOP },
		{ X86_INS_CALL, INSN_CALL },   { X86_INS_JMP, INSN_JMP },
		{ X86_INS_JE, INSN_JE },       { X86_INS_JNE, INSN_JNE },
		{ X86_INS_RET, INSN_END },     { X86_INS_UD2, INSN_END },
		{ X86_INS_HLT, INSN_END },     { X86_INS_INT3, INSN_END },
		{ X86_INS_INC, INSN_ADD },     { X86_INS_DEC, INSN_SUB },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (in->id == table[i].id)
			return table[i].what;
	for (int i = 0; i < in->detail->groups_count; i++)
		if (in->detail->groups[i] == X86_GRP_JUMP)
			return INSN_JCC;
	return INSN_OTHER;
}

static void set_operand(struct operand *o, const cs_insn *in,
			const cs_x86_op *op)
{
	o->size = op->size;
	o->reg = REG_NONE;
	switch (op->type) {
	case X86_OP_REG:
		o->kind = OPERAND_REG;
		o->reg = reg_number(op->reg);
		break;
	case X86_OP_IMM:
		o->kind = OPERAND_IMM;
		o->value = op->imm;
		break;
	case X86_OP_MEM:
		o->kind = OPERAND_MEM;
		o->value = op->mem.disp;
		o->reg = reg_number(op->mem.base);
		if (op->mem.base == X86_REG_RIP)
			o->value += (s64)(in->address + in->size);
		o->plain = o->reg != REG_NONE &&
			   op->mem.index == X86_REG_INVALID &&
			   op->mem.segment == X86_REG_INVALID;
		break;
	default:
		break;
	}
}

static void set_effects(struct insn *out, csh handle, const cs_insn *in)
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

		if (reg != REG_NONE)
			out->writes |= 1u << reg;
		if (writes[i] == X86_REG_EFLAGS)
			out->flags = true;
	}
	/* capstone 4 leaves the access of some operands out. */
	if (out->op[0].kind == OPERAND_REG && out->op[0].reg != REG_NONE &&
	    out->what != INSN_CMP && out->what != INSN_PUSH &&
	    out->what != INSN_CALL && !insn_jumps(out) &&
	    in->id != X86_INS_TEST && in->id != X86_INS_BT)
		out->writes |= 1u << out->op[0].reg;
	out->stores = out->op[0].kind == OPERAND_MEM && out->what != INSN_CMP &&
		      out->what != INSN_CALL && !insn_jumps(out) &&
		      in->id != X86_INS_TEST && out->what != INSN_PUSH &&
		      out->what != INSN_NOP;
	if (out->what == INSN_NOP)
		out->writes = 0;
}

static void convert(struct insn *out, csh handle, const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;

	*out = (struct insn){ .vaddr = in->address,
			      .size = in->size,
			      .what = what_of(in) };
	for (int i = 0; i < x->op_count && i < 2; i++)
		set_operand(&out->op[i], in, &x->operands[i]);
	if (in->id == X86_INS_INC || in->id == X86_INS_DEC)
		out->op[1] = (struct operand){ .kind = OPERAND_IMM,
					       .size = out->op[0].size,
					       .reg = REG_NONE,
					       .value = 1 };
	if ((out->what == INSN_CALL || insn_jumps(out)) &&
	    out->op[0].kind == OPERAND_IMM)
		out->target = out->op[0].value;
	set_effects(out, handle, in);
}

static void decode(struct code *c, csh handle, const u8 *bytes)
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

int code_index(const struct code *c, u64 vaddr)
{
	size_t low = SEARCH(c->insn, c->n, vaddr, vaddr);

	return low && c->insn[low - 1].vaddr == vaddr ? (int)low - 1 : -1;
}

static void find_landings(struct code *c)
{
	for (size_t i = 0; i < c->n; i++) {
		int to = -1;

		if (insn_jumps(&c->insn[i]) && c->insn[i].target)
			to = code_index(c, c->insn[i].target);
		if (to >= 0)
			c->insn[to].landing = true;
	}
}

/* "push %rbp; mov %rsp,%rbp" at the entry, with nothing pushed in between. */
static bool has_frame_pointer(const struct code *c)
{
	bool pushed = false;

	for (size_t i = 0; i < c->n && i < 12; i++) {
		const struct insn *in = &c->insn[i];

		if (in->what == INSN_PUSH) {
			if (pushed || in->op[0].reg != REG_FRAME)
				return false;
			pushed = true;
		} else if (in->writes >> REG_FRAME & 1) {
			return pushed && in->what == INSN_MOV &&
			       in->op[1].kind == OPERAND_REG &&
			       in->op[1].reg == REG_STACK &&
			       in->op[1].size == 8;
		} else if (in->writes >> REG_STACK & 1) {
			return false;
		}
	}
	return false;
}

int code_decode(struct code *c, const struct module *m,
		const struct module_function *f)
{
	_cleanup_free_ u8 *bytes = NULL;
	csh handle;
	int err;

	*c = (struct code){ .start = f->start, .end = f->end };
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

void code_release(struct code *c)
{
	free(c->insn);
	*c = (struct code){ 0 };
}

int code_depth_after(const struct code *c, const struct insn *in, int depth)
{
	bool immediate =
		in->op[1].kind == OPERAND_IMM && in->op[0].kind == OPERAND_REG;

	if (!(in->writes >> REG_STACK & 1) || in->what == INSN_CALL)
		return depth;
	if (in->what == INSN_PUSH)
		return depth + 8;
	if (in->what == INSN_POP && in->op[0].reg != REG_STACK)
		return depth - 8;
	if (in->what == INSN_SUB && immediate)
		return depth + (int)in->op[1].value;
	if (in->what == INSN_ADD && immediate)
		return depth - (int)in->op[1].value;
	if (in->what == INSN_LEA && in->op[1].plain)
		return in->op[1].reg == REG_STACK ? depth - (int)in->op[1].value
		       : in->op[1].reg == REG_FRAME && c->frame_pointer
			       ? 16 - (int)in->op[1].value
			       : -1;
	if (in->what == INSN_LEAVE && c->frame_pointer)
		return 8;
	return -1;
}

struct depth_walk {
	const struct code *c;
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
	const struct insn *in = &w->c->insn[at];
	int depth = w->depth[at];

	if (depth != -1)
		depth = code_depth_after(w->c, in, depth);
	if (depth < 0)
		depth = -1;
	if (insn_jumps(in) && in->target)
		reach(w, code_index(w->c, in->target), depth);
	if (in->what != INSN_JMP && in->what != INSN_END)
		reach(w, at + 1, depth);
}

int *code_depths(const struct code *c)
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
