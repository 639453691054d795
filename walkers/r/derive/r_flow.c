/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A register file, the few stack slots that a compiler spills to, and one
 * struct, all in units of four bytes, each with the place it was copied from.
 *
 * Only copies are understood (mov in its many spellings, lea, the SSE unpacks
 * that put two words side by side); every other instruction makes what it
 * writes unknown, so a mistake here loses facts and does not make up any.
 * Conditional branches are taken as not taken.
 */
#include "walkers/r/derive/r_flow.h"

#include <errno.h>
#include <string.h>

#include "user/elf/module.h"
#include "walkers/r/derive/r_slots.h"

#define MAX_CODE  4096 /* bytes of a function that are looked at */
#define MAX_INSNS 1024
#define NO_REG	  R_FLOW_REGS

enum copy { COPY_NONE, COPY_LOW, COPY_HIGH, COPY_DWORDS, COPY_QWORDS };

static const struct {
	unsigned int id;
	enum copy copy;
	u8 width; /* bytes at most */
} copies[] = {
	{ X86_INS_MOV, COPY_LOW, 8 },
	{ X86_INS_MOVABS, COPY_LOW, 8 },
	{ X86_INS_MOVD, COPY_LOW, 4 },
	{ X86_INS_VMOVD, COPY_LOW, 4 },
	{ X86_INS_MOVQ, COPY_LOW, 8 },
	{ X86_INS_VMOVQ, COPY_LOW, 8 },
	{ X86_INS_MOVUPS, COPY_LOW, 16 },
	{ X86_INS_VMOVUPS, COPY_LOW, 16 },
	{ X86_INS_MOVAPS, COPY_LOW, 16 },
	{ X86_INS_VMOVAPS, COPY_LOW, 16 },
	{ X86_INS_MOVUPD, COPY_LOW, 16 },
	{ X86_INS_MOVAPD, COPY_LOW, 16 },
	{ X86_INS_MOVDQU, COPY_LOW, 16 },
	{ X86_INS_VMOVDQU, COPY_LOW, 16 },
	{ X86_INS_MOVDQA, COPY_LOW, 16 },
	{ X86_INS_VMOVDQA, COPY_LOW, 16 },
	{ X86_INS_MOVHPS, COPY_HIGH, 8 },
	{ X86_INS_VMOVHPS, COPY_HIGH, 8 },
	{ X86_INS_MOVHPD, COPY_HIGH, 8 },
	{ X86_INS_VMOVHPD, COPY_HIGH, 8 },
	{ X86_INS_PUNPCKLDQ, COPY_DWORDS, 16 },
	{ X86_INS_VPUNPCKLDQ, COPY_DWORDS, 16 },
	{ X86_INS_UNPCKLPS, COPY_DWORDS, 16 },
	{ X86_INS_VUNPCKLPS, COPY_DWORDS, 16 },
	{ X86_INS_PUNPCKLQDQ, COPY_QWORDS, 16 },
	{ X86_INS_VPUNPCKLQDQ, COPY_QWORDS, 16 },
	{ X86_INS_UNPCKLPD, COPY_QWORDS, 16 },
	{ X86_INS_VUNPCKLPD, COPY_QWORDS, 16 },
	{ X86_INS_MOVLHPS, COPY_QWORDS, 16 },
	{ X86_INS_VMOVLHPS, COPY_QWORDS, 16 },
};

/* In the order of the DWARF numbers, each in all its widths. */
static const u16 general[16][4] = {
	{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL },
	{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL },
	{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL },
	{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL },
	{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
	{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
	{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
	{ X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
	{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
	{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
	{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
	{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
	{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
	{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
	{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
	{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
};

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, XMM0 = 16 };

static const struct r_flow_value unknown = { 0 };

static unsigned int number(unsigned int reg)
{
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15)
		return XMM0 + (reg - X86_REG_XMM0);
	if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM15)
		return XMM0 + (reg - X86_REG_YMM0);
	for (unsigned int i = 0; i < 16; i++) {
		for (unsigned int k = 0; k < 4; k++) {
			if (general[i][k] == reg)
				return i;
		}
	}
	return NO_REG;
}

static struct r_flow_value data(u64 at, size_t width)
{
	struct r_flow_value v = { .kind = R_FLOW_DATA };

	for (size_t i = 0; i < width / 4 && i < 4; i++)
		v.lane[i] = at + 4 * i;
	return v;
}

/* What a memory operand points to, as far as it is known. */
static struct r_flow_value place(const struct r_flow *f, const cs_insn *insn,
				 const x86_op_mem *mem)
{
	struct r_flow_value v = { .kind = R_FLOW_ADDRESS };
	unsigned int base;

	if (mem->index != X86_REG_INVALID || mem->segment != X86_REG_INVALID)
		return unknown;
	if (mem->base == X86_REG_RIP) {
		v.at = insn->address + insn->size + mem->disp;
		return v;
	}
	if (mem->base == X86_REG_INVALID) {
		v.at = mem->disp;
		return v;
	}
	base = number(mem->base);
	if (base == NO_REG || f->reg[base].kind < R_FLOW_ADDRESS)
		return unknown;
	v = f->reg[base];
	v.at += mem->disp;
	return v;
}

static struct r_flow_value load(const struct r_flow *f,
				const struct r_flow_value *from, size_t width)
{
	u64 symbol;

	if (from->kind == R_FLOW_ADDRESS) {
		symbol = r_slots_symbol(f->slots, from->at);
		if (symbol && width == 8)
			return (struct r_flow_value){ R_FLOW_ADDRESS,
						      symbol,
						      { 0 } };
		return data(from->at, width);
	}
	if (from->kind != R_FLOW_STACK)
		return unknown;
	for (size_t i = 0; i < f->spills; i++) {
		if (f->spill[i].at == from->at)
			return f->spill[i].value;
	}
	/* By the psABI the seventh argument and on stand above the return
	 * address. */
	if ((s64)from->at >= 8 && from->at < 64)
		return data(R_FLOW_ARG(6 + (from->at - 8) / 8), width);
	return unknown;
}

static void store(struct r_flow *f, const struct r_flow_value *to,
		  const struct r_flow_value *value, size_t width)
{
	if (to->kind == R_FLOW_POINTER) {
		for (size_t i = 0; i < width / 4 && i < 4; i++) {
			if (to->at / 4 + i < R_FLOW_STRUCT / 4)
				f->from[to->at / 4 + i] = value->lane[i];
		}
	}
	if (to->kind != R_FLOW_STACK)
		return;
	for (size_t i = 0; i < f->spills; i++) {
		if (f->spill[i].at == to->at) {
			f->spill[i].value = *value;
			return;
		}
	}
	if (f->spills < R_FLOW_SPILLS)
		f->spill[f->spills++] = (struct r_flow_spill){ to->at, *value };
}

static struct r_flow_value operand(const struct r_flow *f, const cs_insn *insn,
				   const cs_x86_op *op, size_t width)
{
	struct r_flow_value v = { 0 };
	unsigned int n;

	if (op->type == X86_OP_MEM) {
		v = place(f, insn, &op->mem);
		return load(f, &v, width);
	}
	if (op->type == X86_OP_IMM && op->imm > 0) {
		v.kind = R_FLOW_ADDRESS; /* code that is not PIC */
		v.at = op->imm;
		return v;
	}
	n = op->type == X86_OP_REG ? number(op->reg) : NO_REG;
	if (n == NO_REG)
		return unknown;
	v = f->reg[n];
	for (size_t i = width / 4; i < 4; i++)
		v.lane[i] = 0;
	return v;
}

static struct r_flow_value join(enum copy copy, const struct r_flow_value *a,
				const struct r_flow_value *b)
{
	struct r_flow_value v = { .kind = R_FLOW_DATA };

	v.lane[0] = a->lane[0];
	v.lane[1] = copy == COPY_DWORDS ? b->lane[0] : a->lane[1];
	v.lane[2] = copy == COPY_DWORDS ? a->lane[1] : b->lane[0];
	v.lane[3] = b->lane[1];
	return v;
}

static void do_copy(struct r_flow *f, const cs_insn *insn, enum copy copy,
		    size_t width)
{
	const cs_x86 *x = &insn->detail->x86;
	const cs_x86_op *to = &x->operands[0];
	const cs_x86_op *from = &x->operands[x->op_count - 1];
	struct r_flow_value v, low, at;
	unsigned int n;

	if (to->size < width)
		width = to->size;
	if (from->size < width)
		width = from->size;
	if (to->type == X86_OP_MEM) {
		at = place(f, insn, &to->mem);
		v = operand(f, insn, from, copy == COPY_HIGH ? 16 : width);
		if (copy == COPY_HIGH) {
			v.lane[0] = v.lane[2];
			v.lane[1] = v.lane[3];
		}
		store(f, &at, &v, width);
		return;
	}
	n = number(to->reg);
	if (n == NO_REG)
		return;
	v = operand(f, insn, from, width);
	if (width < 4 ||
	    (width < 8 && v.kind != R_FLOW_DATA && from->type != X86_OP_IMM))
		v = unknown;
	if (copy != COPY_LOW) {
		low = operand(f, insn, &x->operands[x->op_count - 2], 16);
		v = join(copy == COPY_DWORDS ? COPY_DWORDS : COPY_QWORDS, &low,
			 &v);
	}
	f->reg[n] = v;
}

/* push, pop, add and sub keep pointers into the stack and the struct alive. */
static bool do_arithmetic(struct r_flow *f, const cs_insn *insn)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	struct r_flow_value *sp = &f->reg[RSP], v;
	unsigned int n;

	n = op[0].type == X86_OP_REG ? number(op[0].reg) : NO_REG;
	switch (insn->id) {
	case X86_INS_PUSH:
		v = operand(f, insn, &op[0], 8);
		sp->at -= 8;
		store(f, sp, &v, 8);
		return true;
	case X86_INS_POP:
		v = load(f, sp, 8);
		sp->at += 8;
		if (n != NO_REG)
			f->reg[n] = v;
		return true;
	case X86_INS_ADD:
	case X86_INS_SUB:
		if (n == NO_REG || op[1].type != X86_OP_IMM ||
		    f->reg[n].kind < R_FLOW_ADDRESS || op[0].size != 8)
			return false;
		f->reg[n].at +=
			insn->id == X86_INS_ADD ? op[1].imm : -op[1].imm;
		return true;
	case X86_INS_LEA:
		v = place(f, insn, &op[1].mem);
		if (n != NO_REG)
			f->reg[n] = op[0].size == 8 ? v : unknown;
		return true;
	default:
		return false;
	}
}

/*
 * Only the returned value is lost.  Compiled code reads another register after
 * a call, without writing it first, only when it knows that the callee kept it
 * (gcc -fipa-ra).
 */
static void do_call(struct r_flow *f)
{
	f->reg[RAX] = unknown;
}

static void forget_written(struct r_flow *f, csh handle, const cs_insn *insn)
{
	cs_regs read, written;
	u8 reads = 0, writes = 0;
	unsigned int n;

	if (cs_regs_access(handle, insn, read, &reads, written, &writes)) {
		memset(f->reg, 0, sizeof(f->reg));
		return;
	}
	for (u8 i = 0; i < writes; i++) {
		n = number(written[i]);
		if (n != NO_REG)
			f->reg[n] = unknown;
	}
}

static void step(struct r_flow *f, csh handle, const cs_insn *insn)
{
	if (insn->id == X86_INS_CALL) {
		do_call(f);
		return;
	}
	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
		if (copies[i].id == insn->id &&
		    insn->detail->x86.op_count >= 2) {
			do_copy(f, insn, copies[i].copy, copies[i].width);
			return;
		}
	}
	if (!do_arithmetic(f, insn))
		forget_written(f, handle, insn);
}

static void start(struct r_flow *f, const struct r_slots *slots)
{
	static const u8 args[] = { RDI, RSI, RDX, RCX, R8, R9 };

	memset(f, 0, sizeof(*f));
	f->slots = slots;
	for (size_t i = 1; i < sizeof(args); i++)
		f->reg[args[i]] = data(R_FLOW_ARG(i), 8);
	f->reg[RDI].kind = R_FLOW_POINTER;
	f->reg[RSP].kind = R_FLOW_STACK;
}

/* size: what is known of it from elsewhere. */
static int read_code(const struct module *m, u64 vaddr, u64 size, u8 *code,
		     size_t *len)
{
	struct module_function fn;

	if (!module_function_at(m, vaddr, &fn) && fn.end > vaddr)
		size = fn.end - vaddr;
	*len = size < MAX_CODE ? size : MAX_CODE;
	return module_read(m, vaddr, code, *len);
}

/* Where to go on after this instruction; false: the run ends. */
static bool follow(const cs_insn *insn, const u8 *code, size_t len, u64 vaddr,
		   const u8 **at, size_t *left, uint64_t *pc)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	u64 target;

	if (insn->id == X86_INS_RET)
		return false;
	if (insn->id != X86_INS_JMP)
		return true;
	if (op[0].type != X86_OP_IMM)
		return false;
	target = op[0].imm;
	if (target < *pc || target >= vaddr + len)
		return false;
	*pc = target;
	*at = code + (target - vaddr);
	*left = len - (target - vaddr);
	return true;
}

static int run(struct r_flow *f, const u8 *code, size_t len, u64 vaddr,
	       r_flow_visit *visit, void *ctx)
{
	const u8 *at = code;
	size_t left = len;
	uint64_t pc = vaddr;
	cs_insn *insn;
	csh handle;

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle))
		return -ENOMEM;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	insn = cs_malloc(handle);
	for (int i = 0; insn && i < MAX_INSNS; i++) {
		if (!cs_disasm_iter(handle, &at, &left, &pc, insn))
			break;
		if (visit && visit(f, insn, ctx))
			break;
		step(f, handle, insn);
		if (!follow(insn, code, len, vaddr, &at, &left, &pc))
			break;
	}
	if (insn)
		cs_free(insn, 1);
	cs_close(&handle);
	return 0;
}

static int run_code(struct r_flow *f, const struct module *m, u64 vaddr,
		    u64 size, r_flow_visit *visit, void *ctx)
{
	u8 code[MAX_CODE];
	size_t len;
	int err;

	err = read_code(m, vaddr, size, code, &len);
	return err ? err : run(f, code, len, vaddr, visit, ctx);
}

int r_flow_run(struct r_flow *f, const struct module *m,
	       const struct r_slots *slots, const char *function,
	       r_flow_visit *visit, void *ctx)
{
	u64 vaddr, size;
	int err;

	start(f, slots);
	err = module_dynsym(m, function, &vaddr, &size);
	return err ? err : run_code(f, m, vaddr, size, visit, ctx);
}

int r_flow_run_at(struct r_flow *f, const struct module *m,
		  const struct r_slots *slots, u64 vaddr, r_flow_visit *visit,
		  void *ctx)
{
	start(f, slots);
	return run_code(f, m, vaddr, 0, visit, ctx);
}

u64 r_flow_place(const struct r_flow *f, const cs_insn *insn,
		 const cs_x86_op *op)
{
	struct r_flow_value v = unknown;

	if (op->type == X86_OP_MEM)
		v = place(f, insn, &op->mem);
	return v.kind == R_FLOW_ADDRESS ? v.at : 0;
}

u64 r_flow_variable(const struct r_flow *f, unsigned int reg)
{
	unsigned int n = number(reg);

	if (n == NO_REG || f->reg[n].kind != R_FLOW_DATA ||
	    f->reg[n].lane[1] != f->reg[n].lane[0] + 4)
		return 0;
	return f->reg[n].lane[0];
}

u64 r_flow_address(const struct r_flow *f, unsigned int reg)
{
	unsigned int n = number(reg);

	if (n == NO_REG || f->reg[n].kind != R_FLOW_ADDRESS)
		return 0;
	return f->reg[n].at;
}
