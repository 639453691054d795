/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Classifies rows into the shapes of call frame information that compilers,
 * linkers and the C library really emit on x86-64:
 *
 *   CFA        register + offset; a word in the stack, in a function that
 *              realigned it; the PLT's expression, which depends on the offset of
 *              the program counter in a PLT entry
 *   registers  at CFA + offset; at frame pointer + offset, in functions that
 *              realigned the stack; or untouched
 *   signal     every register at a fixed distance from one: the ucontext
 *   jump       the end of longjmp(): the target is in registers, the other
 *              registers are still in the jmp_buf
 *              (sysdeps/x86_64/__longjmp.S, glibc 2.36)
 *
 * A row must place eight registers: the return address, rsp (which must be the
 * CFA) and the six that a callee preserves.
 */
#include "user/unwind/cfi_rule.h"

#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "arch/cfi.h"
#include "user/elf/pointer.h"

void cfi_frame_init(struct cfi_frame *f, bool is_signal)
{
	*f = (struct cfi_frame){ .is_signal = is_signal,
				 .cfa = UNWIND_UNSUPPORTED,
				 .sp = { CFI_IS_CFA, 0, 0 } };
	for (int i = 0; i < SAVED_REGS; i++)
		f->saved[i].where = CFI_SAME;
}

struct cfi_place *cfi_frame_place(struct cfi_frame *f, u64 reg)
{
	if (reg == REG_RETURN)
		return &f->ra;
	if (reg == REG_STACK)
		return &f->sp;
	for (u32 i = 0; i < SAVED_REGS; i++)
		if (saved_reg[i] == reg)
			return &f->saved[i];
	return NULL;
}

/* Reads "register + offset", the first operation of nearly every expression. */
static bool take_breg(struct pointer_cursor *c, u8 *reg, s64 *off)
{
	u64 number = 0, value;
	u8 op;

	if (pointer_take_bytes(c, &op, 1))
		return false;
	if (op >= DW_OP_breg0 && op <= DW_OP_breg16)
		number = op - DW_OP_breg0;
	else if (op != DW_OP_bregx ||
		 pointer_take_value(c, DW_EH_PE_uleb128, &number))
		return false;
	if (number > REG_RETURN ||
	    pointer_take_value(c, DW_EH_PE_sleb128, &value))
		return false;
	*reg = number;
	*off = (s64)value;
	return true;
}

/* Reads "+ offset". */
static bool take_plus(struct pointer_cursor *c, s64 *off)
{
	u64 value;
	u8 op;

	if (pointer_take_bytes(c, &op, 1) || op != DW_OP_plus_uconst ||
	    pointer_take_value(c, DW_EH_PE_uleb128, &value))
		return false;
	*off = (s64)value;
	return true;
}

void cfi_frame_cfa(struct cfi_frame *f, const u8 *expression, size_t len)
{
	struct pointer_cursor c = { .at = expression, .end = expression + len };

	f->cfa = UNWIND_UNSUPPORTED;
	f->deref_off = 0;
	if (cfi_is_plt(expression, len, &f->cfa_off)) {
		f->cfa = UNWIND_PLT;
		f->cfa_reg = REG_STACK;
		return;
	}
	if (!take_breg(&c, &f->cfa_reg, &f->cfa_off))
		return;
	if (c.at == c.end)
		f->cfa = UNWIND_CFA;
	else if (*c.at++ == DW_OP_deref &&
		 (c.at == c.end ||
		  (take_plus(&c, &f->deref_off) && c.at == c.end)))
		f->cfa = UNWIND_DEREF;
}

void cfi_frame_expression(struct cfi_frame *f, u64 reg, const u8 *expression,
			  size_t len, bool is_value)
{
	struct pointer_cursor c = { .at = expression, .end = expression + len };
	struct cfi_place *place = cfi_frame_place(f, reg),
			 p = { CFI_OTHER, 0, 0 };

	if (!place)
		return;
	/* The expression starts with the CFA on its stack. */
	if (take_plus(&c, &p.off) && c.at == c.end)
		p.where = is_value ? CFI_IS_CFA : CFI_AT_CFA;
	c.at = expression;
	if (!is_value && take_breg(&c, &p.reg, &p.off) && c.at == c.end)
		p.where = CFI_AT_REG;
	*place = p;
}

static bool fits_s32(s64 v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

/* Converts bytes to words; false if off is no whole number of words or too large. */
static bool to_slot(s64 off, s16 *slot)
{
	if (off % 8 || off / 8 <= UNWIND_SLOT_SAME || off / 8 > INT16_MAX)
		return false;
	*slot = off / 8;
	return true;
}

/* usable: slots count from where the place is. */
static s16 slot_of(struct cfi_place p, bool usable)
{
	s16 slot;

	if (p.where == CFI_SAME)
		return UNWIND_SLOT_SAME;
	return usable && to_slot(p.off, &slot) ? slot : UNWIND_SLOT_LOST;
}

static bool classify_cfa(const struct cfi_frame *f, struct unwind_rule *rule)
{
	if (f->cfa == UNWIND_UNSUPPORTED || f->cfa_reg >= REG_COUNT ||
	    !fits_s32(f->cfa_off) || !fits_s32(f->deref_off))
		return false;
	rule->kind = f->cfa;
	rule->cfa_reg = f->cfa_reg;
	rule->cfa_off = f->cfa_off;
	if (f->cfa == UNWIND_DEREF)
		rule->deref_off = f->deref_off;
	return true;
}

/* Turns a place relative to the CFA's own register into one relative to the CFA. */
static struct cfi_place rebase(struct cfi_place p,
			       const struct unwind_rule *rule)
{
	if (p.where == CFI_AT_REG && rule->kind == UNWIND_CFA &&
	    p.reg == rule->cfa_reg) {
		p.where = CFI_AT_CFA;
		p.off = (s64)((u64)p.off - (u64)(s64)rule->cfa_off);
	}
	return p;
}

static bool from_frame(const struct cfi_place *p)
{
	return p->where == CFI_AT_REG && p->reg == REG_FRAME;
}

static bool classify_return(struct cfi_place p, struct unwind_rule *rule)
{
	p = rebase(p, rule);
	if (p.where == CFI_IN_REG) {
		rule->flags |= UNWIND_RA_IN_REG;
		rule->ra = p.reg;
		return true;
	}
	if (from_frame(&p))
		rule->flags |= UNWIND_RA_FROM_FRAME;
	else if (p.where != CFI_AT_CFA)
		return false;
	return to_slot(p.off, &rule->ra);
}

/* All slots have one base. If the places disagree, the frame pointer's place
 * decides, because the callers' rules count from the frame pointer. */
static void classify_saved(const struct cfi_frame *f, struct unwind_rule *rule)
{
	struct cfi_place place[SAVED_REGS];
	bool any_cfa = false, any_frame = false, by_frame;

	for (int i = 0; i < SAVED_REGS; i++) {
		place[i] = rebase(f->saved[i], rule);
		any_cfa |= place[i].where == CFI_AT_CFA;
		any_frame |= from_frame(&place[i]);
	}
	by_frame = any_frame && (!any_cfa || from_frame(&place[SAVED_FRAME]));
	if (by_frame)
		rule->flags |= UNWIND_SLOTS_FROM_FRAME;
	for (int i = 0; i < SAVED_REGS; i++)
		rule->slot[i] = slot_of(
			place[i], by_frame ? from_frame(&place[i])
					   : place[i].where == CFI_AT_CFA);
}

/* The offset of a register in struct sigcontext, in bytes. */
static s64 signal_word(u8 reg)
{
	s64 i = 0;

	while (signal_reg[i] != reg)
		i++;
	return i * 8;
}

/* Accepts a signal frame only if the row places every register that the kernel side
 * reads from the gregs. */
static bool classify_signal(const struct cfi_frame *f, struct unwind_rule *rule)
{
	const struct cfi_place ra = f->ra, sp = f->sp;
	s64 gregs;

	if (ra.where != CFI_AT_REG || ra.reg >= REG_COUNT ||
	    !fits_s32(ra.off) || !fits_s32(ra.off - REG_COUNT * 8))
		return false;
	gregs = ra.off - REG_COUNT * 8;
	if (sp.where != CFI_AT_REG || sp.reg != ra.reg ||
	    sp.off != gregs + signal_word(REG_STACK))
		return false;
	for (int i = 0; i < SAVED_REGS; i++) {
		struct cfi_place p = f->saved[i];

		if (p.where != CFI_AT_REG || p.reg != ra.reg ||
		    p.off != gregs + signal_word(saved_reg[i]))
			return false;
	}
	rule->kind = UNWIND_SIGNAL;
	rule->cfa_reg = ra.reg;
	rule->cfa_off = gregs;
	return true;
}

/* Stack pointer, frame pointer and return address are in registers. The CFA of the
 * file is the jmp_buf. */
static bool classify_jump(const struct cfi_frame *f, struct unwind_rule *rule)
{
	const struct cfi_place ra = f->ra, sp = f->sp,
			       frame = f->saved[SAVED_FRAME];
	struct unwind_rule buf = { 0 };

	if (ra.where != CFI_IN_REG || sp.where != CFI_IN_REG ||
	    frame.where != CFI_IN_REG || !classify_cfa(f, &buf) ||
	    buf.kind != UNWIND_CFA)
		return false;
	for (int i = 0; i < SAVED_REGS; i++) {
		struct cfi_place p = f->saved[i];

		p.off = (s64)((u64)p.off + (u64)(s64)buf.cfa_off);
		rule->slot[i] = slot_of(p, p.where == CFI_AT_CFA);
	}
	rule->kind = UNWIND_CFA;
	rule->flags = UNWIND_RA_IN_REG | UNWIND_JUMP;
	rule->cfa_reg = sp.reg;
	rule->ra = ra.reg;
	rule->deref_off = buf.cfa_reg;
	rule->slot[SAVED_FRAME] = frame.reg;
	return true;
}

static bool classify_call(const struct cfi_frame *f, struct unwind_rule *rule)
{
	if (f->ra.where == CFI_UNDEFINED) {
		rule->kind = UNWIND_ROOT;
		return true;
	}
	if (!classify_cfa(f, rule) || !classify_return(f->ra, rule) ||
	    f->sp.where != CFI_IS_CFA || f->sp.off)
		return false;
	classify_saved(f, rule);
	return true;
}

void cfi_rule_classify(const struct cfi_frame *f, struct unwind_rule *rule)
{
	memset(rule, 0, sizeof(*rule));
	if (f->is_signal ? classify_signal(f, rule)
			 : classify_jump(f, rule) || classify_call(f, rule))
		return;
	memset(rule, 0, sizeof(*rule));
	rule->kind = UNWIND_UNSUPPORTED;
}
