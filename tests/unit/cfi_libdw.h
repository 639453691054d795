/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The rule of a row as libdw interprets it. */
#ifndef JPBPF_TESTS_UNIT_CFI_LIBDW_H
#define JPBPF_TESTS_UNIT_CFI_LIBDW_H

#include <elfutils/libdw.h>
#include <dwarf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <jpbpf/unwind.h>

enum place_kind {
	PLACE_OTHER, /* nothing we can express */
	PLACE_UNDEFINED,
	PLACE_SAME,
	PLACE_CFA,	 /* in memory at CFA + off */
	PLACE_REG,	 /* in memory at reg + off */
	PLACE_CFA_VALUE, /* is CFA + off */
	PLACE_IN_REG	 /* is the value of reg */
};

/* Where the caller's value of a register is. */
struct place {
	enum place_kind kind;
	u8 reg;
	s64 off;
};

/* "register + offset", the first operation of nearly every expression. */
static bool read_breg(const Dwarf_Op *op, u8 *reg, s64 *off)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg16) {
		*reg = op->atom - DW_OP_breg0;
		*off = (s64)op->number;
		return true;
	}
	if (op->atom == DW_OP_bregx && op->number <= REG_RETURN) {
		*reg = op->number;
		*off = (s64)op->number2;
		return true;
	}
	return false;
}

/*
 * libdw puts DW_OP_call_frame_cfa in front of whatever the file says.  Its list
 * of what the psABI preserves has rax (0) where rbx (3) belongs (elfutils,
 * backends/x86_64_cfi.c; seen in 0.188), so a function that does not touch rbx
 * looks as if it left it undefined.
 */
static struct place read_place(Dwarf_Frame *frame, int regno)
{
	struct place p = { .kind = PLACE_OTHER };
	Dwarf_Op mem[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, regno, mem, &ops, &n))
		return p;
	if (!n) {
		p.kind = ops && regno != DWARF_RBX ? PLACE_UNDEFINED
						   : PLACE_SAME;
	} else if (n == 1 && ops[0].atom == DW_OP_regx &&
		   ops[0].number < REG_COUNT) {
		p.kind = PLACE_IN_REG;
		p.reg = ops[0].number;
	} else if (ops[0].atom != DW_OP_call_frame_cfa || n > 3) {
		return p;
	} else if (n == 1) {
		p.kind = PLACE_CFA;
	} else if (ops[1].atom == DW_OP_plus_uconst) {
		p.off = (s64)ops[1].number;
		if (n == 2)
			p.kind = PLACE_CFA;
		else if (ops[2].atom == DW_OP_stack_value)
			p.kind = PLACE_CFA_VALUE;
	} else if (n == 2 && ops[1].atom == DW_OP_stack_value) {
		p.kind = PLACE_CFA_VALUE;
	} else if (n == 2 && read_breg(&ops[1], &p.reg, &p.off)) {
		p.kind = PLACE_REG;
	}
	return p;
}

static bool fits_s32(s64 v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

/* Bytes to words; false when it is not a whole number or too far away. */
static bool to_slot(s64 off, s16 *slot)
{
	if (off % 8 || off / 8 <= UNWIND_SLOT_SAME || off / 8 > INT16_MAX)
		return false;
	*slot = off / 8;
	return true;
}

/*
 * The linkers' expression for a PLT entry, which pushes one word on its way:
 * rsp + 8 + ((rip & 15) >= N) * 8.
 */
static bool is_plt(const Dwarf_Op *op, size_t n)
{
	return n == 9 && op[0].atom == DW_OP_breg7 && op[0].number == 8 &&
	       op[1].atom == DW_OP_breg16 && op[1].number == 0 &&
	       op[2].atom == DW_OP_lit15 && op[3].atom == DW_OP_and &&
	       op[4].atom >= DW_OP_lit0 && op[4].atom <= DW_OP_lit31 &&
	       op[5].atom == DW_OP_ge && op[6].atom == DW_OP_lit3 &&
	       op[7].atom == DW_OP_shl && op[8].atom == DW_OP_plus;
}

static bool classify_cfa(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	s64 off, deref_off = 0;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_frame_cfa(frame, &op, &n) || !n)
		return false;
	if (is_plt(op, n)) {
		rule->kind = UNWIND_PLT;
		rule->cfa_reg = REG_STACK;
		rule->cfa_off = op[4].atom - DW_OP_lit0;
		return true;
	}
	if (!read_breg(&op[0], &rule->cfa_reg, &off) || !fits_s32(off) ||
	    rule->cfa_reg >= REG_COUNT)
		return false;
	rule->cfa_off = off;
	if (n == 1) {
		rule->kind = UNWIND_CFA;
		return true;
	}
	if (op[1].atom != DW_OP_deref || n > 3)
		return false;
	if (n == 3) {
		deref_off = (s64)op[2].number;
		if (op[2].atom != DW_OP_plus_uconst || !fits_s32(deref_off))
			return false;
	}
	rule->kind = UNWIND_DEREF;
	rule->deref_off = deref_off;
	return true;
}

/* A place that counts from the CFA's own register counts from the CFA. */
static struct place rebase(struct place p, const struct unwind_rule *rule)
{
	if (p.kind == PLACE_REG && rule->kind == UNWIND_CFA &&
	    p.reg == rule->cfa_reg) {
		p.kind = PLACE_CFA;
		p.off = (s64)((u64)p.off - (u64)(s64)rule->cfa_off);
	}
	return p;
}

static bool from_rbp(const struct place *p)
{
	return p->kind == PLACE_REG && p->reg == REG_FRAME;
}

static bool classify_return(struct place p, struct unwind_rule *rule)
{
	p = rebase(p, rule);
	if (p.kind == PLACE_IN_REG) {
		rule->flags |= UNWIND_RA_IN_REG;
		rule->ra = p.reg;
		return true;
	}
	if (from_rbp(&p))
		rule->flags |= UNWIND_RA_FROM_FRAME;
	else if (p.kind != PLACE_CFA)
		return false;
	return to_slot(p.off, &rule->ra);
}

/* One base for all slots.  Where they disagree rbp decides: it is the one that
 * the callers' rules count from. */
static void classify_saved(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	struct place place[SAVED_REGS];
	bool any_cfa = false, any_rbp = false;
	enum place_kind base;

	for (int i = 0; i < SAVED_REGS; i++) {
		place[i] = rebase(read_place(frame, saved_reg[i]), rule);
		any_cfa |= place[i].kind == PLACE_CFA;
		any_rbp |= from_rbp(&place[i]);
	}
	base = any_rbp && (!any_cfa || from_rbp(&place[SAVED_FRAME]))
		       ? PLACE_REG
		       : PLACE_CFA;
	if (base == PLACE_REG)
		rule->flags |= UNWIND_SLOTS_FROM_FRAME;
	for (int i = 0; i < SAVED_REGS; i++) {
		const struct place *p = &place[i];
		bool usable =
			base == PLACE_REG ? from_rbp(p) : p->kind == PLACE_CFA;

		if (p->kind == PLACE_SAME)
			rule->slot[i] = UNWIND_SLOT_SAME;
		else if (!usable || !to_slot(p->off, &rule->slot[i]))
			rule->slot[i] = UNWIND_SLOT_LOST;
	}
}

/* Where a register is in struct sigcontext. */
static s64 signal_word(u8 reg)
{
	s64 i = 0;

	while (signal_reg[i] != reg)
		i++;
	return i * 8;
}

/* Everything the kernel side will read from the gregs must be said to be there.
 */
static bool classify_signal(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	struct place rip = read_place(frame, REG_RETURN);
	struct place rsp = read_place(frame, REG_STACK);
	s64 gregs;

	if (rip.kind != PLACE_REG || rip.reg >= REG_COUNT ||
	    !fits_s32(rip.off) || !fits_s32(rip.off - REG_COUNT * 8))
		return false;
	gregs = rip.off - REG_COUNT * 8;
	if (rsp.kind != PLACE_REG || rsp.reg != rip.reg ||
	    rsp.off != gregs + signal_word(REG_STACK))
		return false;
	for (int i = 0; i < SAVED_REGS; i++) {
		struct place p = read_place(frame, saved_reg[i]);

		if (p.kind != PLACE_REG || p.reg != rip.reg ||
		    p.off != gregs + signal_word(saved_reg[i]))
			return false;
	}
	rule->kind = UNWIND_SIGNAL;
	rule->cfa_reg = rip.reg;
	rule->cfa_off = gregs;
	return true;
}

/* Stack pointer, rbp and return address in registers; what the file calls the CFA is
 * the jmp_buf. */
static bool classify_jump(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	struct place rip = read_place(frame, REG_RETURN);
	struct place rsp = read_place(frame, REG_STACK);
	struct place rbp = read_place(frame, REG_FRAME);
	struct unwind_rule buf = { 0 };

	if (rip.kind != PLACE_IN_REG || rsp.kind != PLACE_IN_REG ||
	    rbp.kind != PLACE_IN_REG || !classify_cfa(frame, &buf) ||
	    buf.kind != UNWIND_CFA)
		return false;
	for (int i = 0; i < SAVED_REGS; i++) {
		struct place p = read_place(frame, saved_reg[i]);

		if (p.kind == PLACE_SAME)
			rule->slot[i] = UNWIND_SLOT_SAME;
		else if (p.kind != PLACE_CFA || !fits_s32(p.off) ||
			 !to_slot(p.off + buf.cfa_off, &rule->slot[i]))
			rule->slot[i] = UNWIND_SLOT_LOST;
	}
	rule->kind = UNWIND_CFA;
	rule->flags = UNWIND_RA_IN_REG | UNWIND_JUMP;
	rule->cfa_reg = rsp.reg;
	rule->ra = rip.reg;
	rule->deref_off = buf.cfa_reg;
	rule->slot[SAVED_FRAME] = rbp.reg;
	return true;
}

static bool classify_call(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	struct place rip = read_place(frame, REG_RETURN);
	struct place rsp;

	if (rip.kind == PLACE_UNDEFINED) {
		rule->kind = UNWIND_ROOT;
		return true;
	}
	if (!classify_cfa(frame, rule) || !classify_return(rip, rule))
		return false;
	rsp = read_place(frame, REG_STACK);
	if (rsp.kind != PLACE_CFA_VALUE || rsp.off)
		return false;
	classify_saved(frame, rule);
	return true;
}

static void libdw_classify(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	bool is_signal = false, ok;
	int ra;

	memset(rule, 0, sizeof(*rule));
	ra = dwarf_frame_info(frame, NULL, NULL, &is_signal);
	if (ra != REG_RETURN)
		ok = false;
	else if (is_signal)
		ok = classify_signal(frame, rule);
	else
		ok = classify_jump(frame, rule) || classify_call(frame, rule);
	if (ok)
		return;
	memset(rule, 0, sizeof(*rule));
	rule->kind = UNWIND_UNSUPPORTED;
}

#endif
