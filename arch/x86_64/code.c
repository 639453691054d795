/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Decoding by capstone.  The bounds of a function come from .eh_frame, so
 * a linear sweep meets instructions only; compilers put no data there.
 */
#include "arch/code.h"

#include <errno.h>
#include <stdlib.h>

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
#define X(n, a, b, c, d) \
	[X86_REG_##a] = n + 1, [X86_REG_##b] = n + 1, \
	[X86_REG_##c] = n + 1, [X86_REG_##d] = n + 1,

/* By capstone's number: 1 + the register that it is a part of. */
static const u8 general[X86_REG_ENDING] = {
	REGS(X)
	[X86_REG_AH] = REG_RESULT + 1,
	[X86_REG_BH] = 3 + 1,
	[X86_REG_CH] = REG_ARG3 + 1,
	[X86_REG_DH] = REG_ARG2 + 1,
};
#undef X
/* clang-format on */

static u8 reg_number(unsigned int reg)
{
	if (reg < X86_REG_ENDING && general[reg])
		return general[reg] - 1;
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15)
		return REG_VECTOR + (reg - X86_REG_XMM0);
	if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM15)
		return REG_VECTOR + (reg - X86_REG_YMM0);
	return REG_NONE;
}

/* clang-format off */
#define VECTOR(name, what) [X86_INS_##name] = what, [X86_INS_V##name] = what,

static const u8 instructions[X86_INS_ENDING] = {
	[X86_INS_MOV] = INSN_MOV,
	[X86_INS_MOVABS] = INSN_MOV,
	[X86_INS_LEA] = INSN_LEA,
	[X86_INS_ADD] = INSN_ADD,
	[X86_INS_SUB] = INSN_SUB,
	[X86_INS_CMP] = INSN_CMP,
	[X86_INS_PUSH] = INSN_PUSH,
	[X86_INS_POP] = INSN_POP,
	[X86_INS_LEAVE] = INSN_LEAVE,
	[X86_INS_NOP] = INSN_NOP,
	[X86_INS_CALL] = INSN_CALL,
	[X86_INS_JMP] = INSN_JMP,
	[X86_INS_JE] = INSN_JE,
	[X86_INS_JNE] = INSN_JNE,
	[X86_INS_RET] = INSN_END,
	[X86_INS_UD2] = INSN_END,
	[X86_INS_HLT] = INSN_END,
	[X86_INS_INT3] = INSN_END,
	[X86_INS_INC] = INSN_ADD,
	[X86_INS_DEC] = INSN_SUB,
	VECTOR(MOVD, INSN_MOV)
	VECTOR(MOVQ, INSN_MOV)
	VECTOR(MOVUPS, INSN_MOV)
	VECTOR(MOVAPS, INSN_MOV)
	VECTOR(MOVUPD, INSN_MOV)
	VECTOR(MOVAPD, INSN_MOV)
	VECTOR(MOVDQU, INSN_MOV)
	VECTOR(MOVDQA, INSN_MOV)
	VECTOR(MOVHPS, INSN_JOIN)
	VECTOR(MOVHPD, INSN_JOIN)
	VECTOR(MOVLHPS, INSN_JOIN)
	VECTOR(UNPCKLPD, INSN_JOIN)
	VECTOR(PUNPCKLQDQ, INSN_JOIN)
};
#undef VECTOR
/* clang-format on */

static u8 what_of(const cs_insn *in)
{
	if (in->id < X86_INS_ENDING && instructions[in->id])
		return instructions[in->id];
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
		if (op->mem.index != X86_REG_INVALID)
			o->scale = op->mem.scale;
		o->plain = o->reg != REG_NONE &&
			   op->mem.index == X86_REG_INVALID &&
			   op->mem.segment == X86_REG_INVALID;
		o->local = op->mem.segment == X86_REG_FS && !o->scale;
		break;
	default:
		break;
	}
}

static void set_effects(struct insn *out, csh handle, const cs_insn *in)
{
	cs_regs reads, writes;
	u8 n_reads, n_writes;
	bool only_reads; /* the first operand */

	if (cs_regs_access(handle, in, reads, &n_reads, writes, &n_writes)) {
		out->writes = ~0u;
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
	only_reads = out->what == INSN_CMP || out->what == INSN_PUSH ||
		     out->what == INSN_CALL || insn_jumps(out) ||
		     in->id == X86_INS_TEST;
	/* capstone 4 leaves the access of some operands out. */
	if (out->op[0].kind == OPERAND_REG && out->op[0].reg != REG_NONE &&
	    !only_reads && in->id != X86_INS_BT)
		out->writes |= 1u << out->op[0].reg;
	out->stores = out->op[0].kind == OPERAND_MEM && !only_reads &&
		      out->what != INSN_NOP;
	if (out->what == INSN_NOP)
		out->writes = 0;
}

/* A move that has a vector register on one side moves what fits both.  One that joins
 * two halves has the lower one, or what it stores, in its own first operand. */
static void set_vectors(struct insn *out, int operands)
{
	struct operand *op = out->op;

	if (out->what == INSN_MOV && op[1].kind != OPERAND_IMM) {
		if (op[0].size > op[1].size)
			op[0].size = op[1].size;
		if (op[0].size > 16)
			op[0].size = 16;
		op[1].size = op[0].size;
	} else if (out->what == INSN_JOIN && op[0].kind == OPERAND_MEM) {
		out->what = INSN_MOV;
		op[1].reg = op[1].reg < REG_UPPER
				    ? op[1].reg + REG_UPPER - REG_VECTOR
				    : REG_NONE;
		op[1].size = op[0].size;
	} else if (out->what == INSN_JOIN && operands == 2) {
		op[2] = op[1];
		op[1] = op[0];
	}
	if (out->what == INSN_JOIN)
		op[0].size = 16;
}

/* The condition is in the last byte of the opcode (70 to 7f, 0f 80 to 0f 8f). */
static u8 condition_of(const struct insn *in, const u8 *opcode)
{
	u8 last = opcode[0] == 0x0f ? opcode[1] : opcode[0] + 0x10;

	return insn_jumps(in) && (last & 0xf0) == 0x80 ? 1 + (last & 15) : 0;
}

/* lock, and the segments es, cs, ss, ds (arch/x86/kernel/uprobes.c, is_prefix_bad()). */
static bool is_prefixed(const u8 *prefix)
{
	return prefix[0] == X86_PREFIX_LOCK || prefix[1] == X86_PREFIX_ES ||
	       prefix[1] == X86_PREFIX_CS || prefix[1] == X86_PREFIX_SS ||
	       prefix[1] == X86_PREFIX_DS;
}

static void convert(struct insn *out, csh handle, const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;

	*out = (struct insn){ .vaddr = in->address,
			      .size = in->size,
			      .what = what_of(in),
			      .to = -1,
			      .depth = -1 };
	for (int i = 0; i < x->op_count && i < 3; i++)
		set_operand(&out->op[i], in, &x->operands[i]);
	set_vectors(out, x->op_count);
	if (in->id == X86_INS_INC || in->id == X86_INS_DEC)
		out->op[1] = (struct operand){ .kind = OPERAND_IMM,
					       .size = out->op[0].size,
					       .reg = REG_NONE,
					       .value = 1 };
	out->returns = in->id == X86_INS_RET;
	out->prefixed = is_prefixed(x->prefix);
	out->condition = condition_of(out, x->opcode);
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
		struct insn *in = &c->insn[i];

		if (insn_jumps(in) && in->target)
			in->to = code_index(c, in->target);
		if (in->to >= 0)
			c->insn[in->to].landing = true;
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

/* Capstone does not look whether it got memory. */
static cs_opt_mem memory = { xmalloc, xcalloc, realloc, free,
			     (cs_vsnprintf_t)vsnprintf };

int code_decode(struct code *c, const struct module *m,
		const struct module_function *f)
{
	_cleanup_free_ u8 *bytes = NULL;
	csh handle;
	int err;

	cs_option(0, CS_OPT_MEM, (size_t)&memory);
	*c = (struct code){ .start = f->start, .end = f->end };
	if (f->end <= f->start || f->end - f->start > MAX_FUNCTION ||
	    module_spend(m, f->end - f->start))
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

int code_decode_some(struct code *c, const struct module *m, u64 vaddr, u64 len)
{
	struct module_function f = { .start = vaddr, .end = vaddr + len };
	int err = code_decode(c, m, &f);

	while (err == -EFAULT && --f.end > vaddr)
		err = code_decode(c, m, &f);
	return err;
}

int code_decode_at(struct code *c, const struct module *m, u64 vaddr)
{
	struct module_function f;

	if (!vaddr || module_function_at(m, vaddr, &f) || f.start != vaddr)
		return -ENOENT;
	return code_decode(c, m, &f);
}

/* By a lea, or an immediate where code is loaded at a fixed address. */
u64 code_made(const struct insn *in)
{
	const struct operand *from = &in->op[1];

	if (in->what == INSN_LEA && from->kind == OPERAND_MEM &&
	    from->reg == REG_NONE)
		return from->value;
	if (in->what == INSN_MOV && from->kind == OPERAND_IMM)
		return from->value;
	return in->what == INSN_PUSH && in->op[0].kind == OPERAND_IMM
		       ? in->op[0].value
		       : 0;
}

void code_release(struct code *c)
{
	free(c->insn);
	*c = (struct code){ 0 };
}

int code_depth_after(const struct code *c, int at, int depth)
{
	const struct insn *in = &c->insn[at];
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
			       ? DEPTH_FRAME - (int)in->op[1].value
			       : -1;
	if (in->what == INSN_LEAVE && c->frame_pointer)
		return DEPTH_ENTRY;
	return -1;
}
