/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native unwinding, frame by frame.  Both sides compile this one source.
 *
 * The kernel side walks while a sample is taken (bpf/native/native.bpf.h); user space walks
 * the deferred samples (user/unwind/unwind.c).  Each side has a struct cursor in its
 * state of the walk and provides the functions named side_*: those that read memory,
 * and those that the kernel side calls instead of inlining.
 *
 * For a frame, cursor_locate() finds the CFA by the rule for its address, and
 * cursor_leave() finds the return address and the caller's registers.  Of most frames
 * one word is read, the return address.  For a saved register only its address is
 * noted, because few saved registers are ever needed.
 *
 * A walk ends with a rule that says the return address is undefined (the only proof of
 * the outermost frame), or with a status from status.h.  The target may have written
 * anything to its stack, so the CFA must rise with every frame, except at
 * CURSOR_MAX_FALLS switches of stacks at most: a damaged stack cannot make the walk
 * loop.
 *
 * A rule's head is passed as a value.  Where a caller passes a constant, the compiler leaves
 * out all that such a rule does not need.
 */
#ifndef JPBPF_UNWINDER_H
#define JPBPF_UNWINDER_H

#ifdef __bpf__
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>
#endif

#include <jpbpf/cursor.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "arch/calls.h"

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

#define CURSOR_MAX_FRAMES 32768u
#define CURSOR_MAX_FALLS  16u

/* Read a word of the stack.  0, or an error. */
static __always_inline int side_word(struct cursor *c, u64 address, u64 *out);
/* Read a return address, from a frame whose CFA is known.  0, or an error. */
static __always_inline int side_return(struct cursor *c, u64 address, u64 *out);
/* Read a word anywhere in memory, code included.  Seldom called.  0, or an error. */
static __always_inline int side_far_word(struct cursor *c, u64 address,
					 u64 *out);
/* The registers that a signal has saved on the stack (in the order of signal_reg[]),
 * then the program counter; NULL if they cannot be read. */
static __always_inline const u64 *side_signal(struct cursor *c, u64 address);
/* Base of the thread's thread-local storage; 0 if it is not known. */
static __always_inline u64 side_thread(struct cursor *c);
/* Whether the address is in a known file. */
static __always_inline bool side_is_known(struct cursor *c, u64 address);
/* These call cursor_read_saved(), cursor_depth() and cursor_of_thread(). */
static __always_inline void side_read_saved(struct cursor *c);
static __always_inline int side_depth(struct cursor *c, u64 *cfa,
				      const struct unwind_rule *r);
static __always_inline int side_of_thread(struct cursor *c, u64 *cfa,
					  const struct unwind_rule *r);
/* Start a walk; pc and reg hold the registers of user mode. */
static __always_inline void cursor_begin(struct cursor *c)
{
	c->valid = (1u << REG_COUNT) - 1;
	c->saved = 0;
	c->exact = 1;
	c->cfa = c->reg[REG_STACK] - 1;
}

static __always_inline bool cursor_has(const struct cursor *c, u32 reg)
{
	return c->valid >> (reg & 15) & 1;
}

/* Read all registers that were saved on the stack and not read yet into reg. */
static __always_inline void cursor_read_saved(struct cursor *c)
{
	/* Linux 6.1 takes no loop that goes back by falling through. */
#ifdef __bpf__
#pragma unroll
#endif
	for (u32 i = 0; i < SAVED_REGS; i++) {
		u32 reg = saved_reg[i];
		u64 value;

		if (!(c->saved >> reg & 1))
			continue;
		if (side_word(c, c->saved_at[i], &value))
			c->valid &= ~(1u << reg);
		else
			c->reg[reg] = value;
	}
	c->saved = 0;
}

/* Make reg[reg] hold the register that a CFA counts from; false if it is not known.
 * Saved registers are read only when needed.  Nearly always the register is the frame
 * pointer, which is read alone. */
static __always_inline bool cursor_need(struct cursor *c, u32 reg)
{
	u64 value;

	/* The stack pointer is always known. */
	if (reg == REG_STACK)
		return true;
	if (!cursor_has(c, reg) || !(c->saved >> reg & 1))
		return cursor_has(c, reg);
	if (reg != REG_FRAME) {
		side_read_saved(c);
		return cursor_has(c, reg);
	}
	c->saved &= ~(1u << REG_FRAME);
	if (side_word(c, c->saved_at[SAVED_FRAME], &value)) {
		c->valid &= ~(1u << REG_FRAME);
		return false;
	}
	c->reg[REG_FRAME] = value;
	return true;
}

/* ---- where the frame is -------------------------------------------------------- */

/* UNWIND_DEPTH */
static __always_inline int cursor_depth(struct cursor *c, u64 *cfa, s32 owner,
					s32 depth)
{
	u64 sp = c->reg[REG_STACK], at = 0, end = 0, below = 0;

	if (side_far_word(c, sp + (s64)owner, &at) ||
	    side_far_word(c, at + 8, &end) ||
	    side_far_word(c, sp + (s64)depth, &below))
		return CUT_STACK_READ;
	*cfa = end - below + 8;
	return 0;
}

/* UNWIND_THREAD.  Go's thread structure (m) says where the thread left its own stack,
 * which is that of g0, the first word of m.  That place must be where this frame's
 * stack pointer is. */
static __always_inline int cursor_of_thread(struct cursor *c, u64 *cfa,
					    s32 local, s32 owner, u32 near)
{
	u64 thread = side_thread(c), at = 0, m = 0, below = 0;
	u32 left = near >> 8;

	if (!thread)
		return CUT_SWITCH;
	if (side_far_word(c, thread + (s64)local, &at) ||
	    side_far_word(c, at + (near & 0xff), &m) ||
	    side_far_word(c, m, &at) || side_far_word(c, at + left, &below) ||
	    side_far_word(c, m + (s64)owner, &at) ||
	    side_far_word(c, at + left, &at))
		return CUT_STACK_READ;
	if (below != c->reg[REG_STACK])
		return CUT_SWITCH;
	*cfa = at + 8;
	return 0;
}

/* Compute the frame's CFA by the rule.  0, or the status that ends the walk. */
static __always_inline int cursor_cfa(struct cursor *c, struct unwind_head h,
				      const struct unwind_rule *r, u64 *cfa)
{
	u32 reg = h.cfa_reg & 15;

	switch (__builtin_expect(h.kind, UNWIND_CFA)) {
	case UNWIND_CLONE:
	case UNWIND_CFA:
		if (!cursor_need(c, reg))
			return CUT_LOST_REGISTER;
		*cfa = c->reg[reg] + (s64)r->cfa_off;
		return 0;
	case UNWIND_DEREF:
		if (!cursor_need(c, reg))
			return CUT_LOST_REGISTER;
		if (side_word(c, c->reg[reg] + (s64)r->cfa_off, cfa))
			return CUT_STACK_READ;
		*cfa += (s64)r->deref_off;
		return 0;
	case UNWIND_PLT:
		*cfa = c->reg[REG_STACK] + arch_plt_depth(c->pc, r->cfa_off);
		return 0;
	case UNWIND_SIGNAL:
	case UNWIND_ROOT:
		*cfa = c->cfa;
		return 0;
	case UNWIND_DEPTH:
		return side_depth(c, cfa, r);
	case UNWIND_THREAD:
		return side_of_thread(c, cfa, r);
	case UNWIND_SWITCH:
		return CUT_SWITCH;
	case UNWIND_NONE:
		return CUT_NO_RULE;
	}
	return CUT_UNSUPPORTED;
}

/*
 * Whether the CFA may lie at or below that of the frame it called.  A function that
 * calls another on a stack of its own (split stacks, coroutines) keeps its place on the
 * old stack in a register that survives calls, and the old stack can lie anywhere.  The
 * number of such falls is limited, or a damaged stack could be a circle.
 */
static __always_inline bool cursor_may_fall(struct cursor *c,
					    struct unwind_head h)
{
	if (h.kind == UNWIND_SIGNAL || h.kind == UNWIND_ROOT)
		return true;
	return h.kind != UNWIND_PLT &&
	       (h.cfa_reg != REG_STACK || h.kind >= UNWIND_DEPTH) &&
	       ++c->falls <= CURSOR_MAX_FALLS;
}

/* Set c->cfa by the frame's rule.  0, or the status that ends the walk. */
static __always_inline int cursor_locate(struct cursor *c, struct unwind_head h,
					 const struct unwind_rule *r)
{
	u64 cfa = 0;
	int status = cursor_cfa(c, h, r, &cfa);

	if (!status && cfa <= c->cfa && !cursor_may_fall(c, h))
		status = CUT_NOT_RISING;
	if (!status)
		c->cfa = cfa;
	return status;
}

/* ---- its caller ------------------------------------------------------------------ */

static __always_inline bool cursor_at_root(const struct cursor *c,
					   struct unwind_head h)
{
	return h.kind == UNWIND_ROOT ||
	       (h.kind == UNWIND_CLONE && !c->reg[REG_RESULT]);
}

static __always_inline void
cursor_restore(struct cursor *c, u32 i, const struct unwind_rule *r, u64 base)
{
	u32 reg = saved_reg[i];
	s16 slot = r->slot[i];

	if (slot == UNWIND_SLOT_SAME)
		return;
	if (slot == UNWIND_SLOT_LOST) {
		c->valid &= ~(1u << reg);
		return;
	}
	c->saved_at[i] = base + (s64)slot * 8;
	c->saved |= 1u << reg;
	/* An inner frame may have lost this register; here it is known again. */
	c->valid |= 1u << reg;
}

static __always_inline void cursor_restore_all(struct cursor *c,
					       struct unwind_head h,
					       const struct unwind_rule *r,
					       u64 base)
{
	if (h.flags & UNWIND_JUMP)
		c->reg[REG_FRAME] = c->reg[r->slot[SAVED_FRAME] & 15];
	else
		cursor_restore(c, SAVED_FRAME, r, base);
	if (!c->want_saved)
		return;
	for (u32 i = 0; i < SAVED_REGS; i++)
		if (i != SAVED_FRAME)
			cursor_restore(c, i, r, base);
}

/* Whether the registers are known that a rule with flags counts from, besides the
 * CFA's. */
static __always_inline bool cursor_has_bases(const struct cursor *c,
					     struct unwind_head h,
					     const struct unwind_rule *r)
{
	u32 need = 0;

	if (h.flags & (UNWIND_SLOTS_FROM_FRAME | UNWIND_RA_FROM_FRAME))
		need |= 1u << REG_FRAME;
	if (h.flags & UNWIND_RA_IN_REG)
		need |= 1u << (r->ra & 15);
	if (h.flags & UNWIND_JUMP)
		need |= 1u << (r->deref_off & 15) |
			1u << (r->slot[SAVED_FRAME] & 15);
	return (c->valid & need) == need;
}

/* Go from a located frame to its caller by the return address.  0, or the status that
 * ends the walk. */
static __always_inline int cursor_return(struct cursor *c, struct unwind_head h,
					 const struct unwind_rule *r)
{
	u64 ra_base = c->cfa, base = c->cfa;
	u64 pc = 0;

	if (__builtin_expect(h.flags, 0)) {
		side_read_saved(c);
		if (!cursor_has_bases(c, h, r))
			return CUT_LOST_REGISTER;
		if (h.flags & UNWIND_SLOTS_FROM_FRAME)
			base = c->reg[REG_FRAME];
		if (h.flags & UNWIND_JUMP)
			base = c->reg[r->deref_off & 15];
		if (h.flags & UNWIND_RA_FROM_FRAME)
			ra_base = c->reg[REG_FRAME];
	}
	if (h.flags & UNWIND_RA_IN_REG)
		pc = c->reg[r->ra & 15];
	else if (side_return(c, ra_base + (s64)r->ra * 8, &pc))
		return CUT_STACK_READ;
	if (!pc)
		return CUT_NULL_RETURN;
	cursor_restore_all(c, h, r, base);
	c->valid &= c->want_saved ? REGS_KEPT : 1u << REG_FRAME;
	c->valid |= 1u << REG_STACK;
	c->reg[REG_STACK] = c->cfa;
	c->pc = pc;
	c->exact = !!(h.flags & UNWIND_INTERRUPTED);
	return 0;
}

/* Go from a signal frame to the instruction that the signal has interrupted.  0, or
 * the status that ends the walk. */
static __always_inline int cursor_interrupted(struct cursor *c,
					      struct unwind_head h,
					      const struct unwind_rule *r)
{
	u32 reg = h.cfa_reg & 15;
	const u64 *word;

	if (!cursor_need(c, reg))
		return CUT_LOST_REGISTER;
	word = side_signal(c, c->reg[reg] + (s64)r->cfa_off);
	if (!word)
		return CUT_STACK_READ;
	for (u32 i = 0; i < REG_COUNT; i++)
		c->reg[signal_reg[i]] = word[i];
	c->pc = word[REG_COUNT];
	/* The handler may have run on another stack: the order of CFAs starts anew. */
	if (c->reg[REG_STACK] - 1 <= c->cfa && ++c->falls > CURSOR_MAX_FALLS)
		return CUT_NOT_RISING;
	cursor_begin(c);
	return c->pc ? 0 : CUT_NULL_RETURN;
}

/* Go from a located frame to its caller.  0, or the status that ends the walk. */
static __always_inline int cursor_leave(struct cursor *c, struct unwind_head h,
					const struct unwind_rule *r)
{
	if (__builtin_expect(h.kind == UNWIND_SIGNAL, 0))
		return cursor_interrupted(c, h, r);
	return cursor_return(c, h, r);
}

#endif
