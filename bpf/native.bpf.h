/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One step of native unwinding, inlined into the sampling loop.
 *
 * A step handles one frame: locate() finds the rule for the address and from it
 * the CFA; finish() writes the frame, restores the caller's registers and moves
 * there.  Between the two the walkers have their turn (see walk.bpf.h).
 *
 * What makes it fast: a per-CPU cache from address to rule answers nearly every
 * look-up (native.bpf.c does the rest), and the stack is read in blocks of 4 KiB,
 * so most frames cost no search and no read of their own.
 *
 * What ends it: a rule that says the return address is undefined (the only proof
 * of the outermost frame), or a reason from status.h.  The CFA must rise with
 * every frame, but for a few changes of the stack, so damaged stacks cannot loop.
 */
#ifndef JPBPF_NATIVE_BPF_H
#define JPBPF_NATIVE_BPF_H

#include "bpf/chain.bpf.h"
#include "bpf/walk.bpf.h"

#define MAX_FALLS 16u
#define WINDOW	  64u /* bytes of the stack below a CFA that are looked at */

/* The first slot of an address's set, the only one that is looked at here: the
 * second is native_fill()'s. */
static __always_inline u32 cache_slot(const struct walk *w, u64 address)
{
	u32 h = (u32)address ^ (u32)(address >> 21);

	h *= 0x9e3779b1u;
	return w->cpu * PC_CACHE_SLOTS + (h >> 20) * 2;
}
_Static_assert(PC_CACHE_SETS == 1u << 12, "cache_slot() takes 12 bits");

/* The entry for an address; NULL with *status set, *word always right. */
static __always_inline struct pc_entry *entry_for(struct walk *w, u64 address,
						  u32 slot, int *status)
{
	struct pc_entry *e = bpf_map_lookup_elem(&pc_cache, &slot);

	*status = CUT_NO_MAPPING;
	if (!e)
		return NULL;
	if (e->pc == address && e->serial == w->process.serial)
		return e;
	*status = native_fill(w, address, slot);
	return *status ? NULL : e;
}

/*
 * One word of the user's stack, through the window or the block.  The block is
 * refilled from just below the address, because what a walk reads next lies above
 * it.
 */
static __always_inline int stack_word(struct walk *w, u64 address, u64 *out)
{
	u64 off = address - w->window;

	if (w->window_kernel && off <= WINDOW - 8) {
		*out = direct_word(w->window_kernel + off);
		return 0;
	}
	off = address - w->block_base;
	if (off >= w->block_len || (off & 7)) {
		if (bpf_probe_read_user(out, 8, (const void *)address))
			return -1;
		return 0;
	}
	*out = w->block[(off >> 3) & (WALK_BLOCK_WORDS - 1)];
	return 0;
}

/* Try to have [cfa - 64, cfa) at hand: return address, usual save slots. */
static __always_inline void stack_block(struct walk *w, u64 cfa)
{
	u64 low = (cfa - WINDOW) & ~7ull;

	w->window = low;
	w->window_kernel = direct_at(&w->direct, low, WINDOW);
	if (w->window_kernel)
		return;
	if (!walk_in_block(w, low, cfa))
		walk_block(w, low);
}

static __always_inline bool have(const struct walk *w, u32 reg)
{
	return w->valid >> (reg & 15) & 1;
}

static __always_inline int cfa_deref(struct walk *w, struct unwind_rule *r,
				     u64 *cfa)
{
	u64 at = w->reg[r->cfa_reg & 15] + (s64)r->cfa_off;

	if (stack_word(w, at, cfa))
		return CUT_STACK_READ;
	*cfa += (s64)r->deref_off;
	return 0;
}

/* The CFA by the rule. 0, or the status that ends the walk. */
static __always_inline int rule_cfa(struct walk *w, struct unwind_rule *r,
				    u64 *cfa)
{
	u32 reg = r->cfa_reg & 15;

	switch (r->kind) {
	case UNWIND_CLONE:
	case UNWIND_CFA:
		if (!have(w, reg))
			return CUT_LOST_REGISTER;
		*cfa = w->reg[reg] + (s64)r->cfa_off;
		return 0;
	case UNWIND_DEREF:
		if (!have(w, reg))
			return CUT_LOST_REGISTER;
		return cfa_deref(w, r, cfa);
	case UNWIND_PLT:
		*cfa = w->reg[REG_RSP] + 8 +
		       ((w->pc & 15) >= (u64)r->cfa_off) * 8;
		return 0;
	case UNWIND_SIGNAL:
	case UNWIND_ROOT:
		*cfa = w->cfa;
		return 0;
	case UNWIND_NONE:
		return CUT_NO_RULE;
	}
	return CUT_UNSUPPORTED;
}

static __always_inline struct pc_entry *entry_at(u32 slot)
{
	return bpf_map_lookup_elem(&pc_cache, &slot);
}

/* There is no rule: go on without, or end. */
static __always_inline void no_rule(struct walk *w, struct pc_entry *e,
				    u32 status)
{
	if (e)
		walk_push(w, e->frame);
	if (w->mode == MODE_DONE)
		return;
	if ((status != CUT_NO_RULE && status != CUT_NO_TABLE) ||
	    ++w->frames > WALK_MAX_FRAMES || chain_step(w))
		walk_end(w, status);
}

/*
 * May the CFA be where it is, not above that of the frame it called?  A function that
 * calls another on a stack of its own (split stacks, coroutines) keeps its place on
 * the old one in a register that survives calls; that stack can lie anywhere.  Only
 * so often, or a damaged stack would be a circle.
 */
static __always_inline bool may_fall(struct walk *w,
				     const struct unwind_rule *rule)
{
	if (rule->kind == UNWIND_SIGNAL || rule->kind == UNWIND_ROOT)
		return true;
	return rule->kind != UNWIND_PLT && rule->cfa_reg != REG_RSP &&
	       ++w->falls <= MAX_FALLS;
}

/* Rule and CFA of the frame at w->pc; NULL: the walk has ended, or it has gone on to
 * the next frame. */
static __always_inline struct pc_entry *locate(struct walk *w)
{
	u64 address = w->pc - !w->exact, cfa = 0;
	u32 slot = cache_slot(w, address);
	struct pc_entry *e;
	int status = 0;

	w->slot = slot;
	e = entry_for(w, address, slot, &status);
	if (!e) {
		no_rule(w, entry_at(slot), status);
		return NULL;
	}
	status = rule_cfa(w, &e->rule, &cfa);
	if (!status && cfa <= w->cfa && !may_fall(w, &e->rule))
		status = CUT_NOT_RISING;
	if (status) {
		no_rule(w, e, status);
		return NULL;
	}
	w->cfa = cfa;
	return e;
}

static __always_inline void restore(struct walk *w, u32 reg, s16 slot, u64 base)
{
	if (slot == UNWIND_SLOT_SAME)
		return;
	if (slot == UNWIND_SLOT_LOST ||
	    stack_word(w, base + (s64)slot * 8, &w->reg[reg]))
		w->valid &= ~(1u << reg);
}

/* The caller's callee-saved registers. */
static __always_inline void restore_all(struct walk *w, struct unwind_rule *r,
					u64 base)
{
	if (r->flags & UNWIND_JUMP)
		w->reg[REG_RBP] = w->reg[r->slot[SAVED_RBP] & 15];
	else
		restore(w, REG_RBP, r->slot[SAVED_RBP], base);
	if (!w->want_saved)
		return;
	restore(w, REG_RBX, r->slot[SAVED_RBX], base);
	restore(w, REG_R12, r->slot[SAVED_R12], base);
	restore(w, REG_R13, r->slot[SAVED_R13], base);
	restore(w, REG_R14, r->slot[SAVED_R14], base);
	restore(w, REG_R15, r->slot[SAVED_R15], base);
}

/* Are the registers at hand that an unusual rule counts from, besides the CFA's? */
static __always_inline bool has_bases(const struct walk *w,
				      const struct unwind_rule *r)
{
	u32 need = 0;

	if (r->flags & (UNWIND_SLOTS_FROM_RBP | UNWIND_RA_FROM_RBP))
		need |= 1u << REG_RBP;
	if (r->flags & UNWIND_RA_IN_REG)
		need |= 1u << (r->ra & 15);
	if (r->flags & UNWIND_JUMP)
		need |= 1u << (r->deref_off & 15) |
			1u << (r->slot[SAVED_RBP] & 15);
	return (w->valid & need) == need;
}

/* The return address and the registers of the frame's caller. */
static __always_inline int step_out(struct walk *w, struct unwind_rule *r)
{
	u64 ra_base = w->cfa, base = w->cfa, rbp = w->reg[REG_RBP];
	u64 pc = 0;

	if (r->flags && !has_bases(w, r))
		return CUT_LOST_REGISTER;
	stack_block(w, w->cfa);
	if (r->flags & UNWIND_SLOTS_FROM_RBP)
		base = rbp;
	if (r->flags & UNWIND_JUMP)
		base = w->reg[r->deref_off & 15];
	if (r->flags & UNWIND_RA_FROM_RBP)
		ra_base = rbp;
	if (r->flags & UNWIND_RA_IN_REG)
		pc = w->reg[r->ra & 15];
	else if (stack_word(w, ra_base + (s64)r->ra * 8, &pc))
		return CUT_STACK_READ;
	if (!pc)
		return CUT_NULL_RETURN;
	restore_all(w, r, base);
	w->valid &= w->want_saved ? WALK_CALLEE_SAVED : 1u << REG_RBP;
	w->valid |= 1u << REG_RSP;
	w->reg[REG_RSP] = w->cfa;
	w->pc = pc;
	w->exact = 0;
	return 0;
}

/* Words of gregs in struct sigcontext (arch/x86/include/uapi/asm/sigcontext.h):
 * r8-r15 di si bp bx dx ax cx sp ip. */
static __always_inline int step_signal(struct walk *w, struct unwind_rule *r)
{
	u64 at = w->reg[r->cfa_reg & 15] + (s64)r->cfa_off;
	u64 *g = w->block;

	w->block_len = 0;
	if (!have(w, r->cfa_reg))
		return CUT_LOST_REGISTER;
	if (bpf_probe_read_user(g, 17 * 8, (const void *)at))
		return CUT_STACK_READ;
	w->reg[REG_R8] = g[0];
	w->reg[REG_R9] = g[1];
	w->reg[REG_R10] = g[2];
	w->reg[REG_R11] = g[3];
	w->reg[REG_R12] = g[4];
	w->reg[REG_R13] = g[5];
	w->reg[REG_R14] = g[6];
	w->reg[REG_R15] = g[7];
	w->reg[REG_RDI] = g[8];
	w->reg[REG_RSI] = g[9];
	w->reg[REG_RBP] = g[10];
	w->reg[REG_RBX] = g[11];
	w->reg[REG_RDX] = g[12];
	w->reg[REG_RAX] = g[13];
	w->reg[REG_RCX] = g[14];
	w->reg[REG_RSP] = g[15];
	w->pc = g[16];
	w->valid = 0xffff;
	w->exact = 1;
	/* The handler may have run on another stack: start the order anew. */
	w->cfa = w->reg[REG_RSP] - 1;
	return w->pc ? 0 : CUT_NULL_RETURN;
}

static __always_inline bool is_root(const struct walk *w,
				    const struct unwind_rule *r)
{
	return r->kind == UNWIND_ROOT ||
	       (r->kind == UNWIND_CLONE && !w->reg[REG_RAX]);
}

/* Write the frame and go to its caller. */
static __always_inline void finish(struct walk *w, struct pc_entry *e)
{
	int status;

	walk_push(w, e->frame);
	/* No room for it: then the stack is not whole, whatever comes now. */
	if (w->mode == MODE_DONE)
		return;
	w->located = LOCATED_NOT;
	if (++w->frames > WALK_MAX_FRAMES)
		return walk_end(w, CUT_DEPTH);
	if (is_root(w, &e->rule))
		return walk_end(w, WALK_ROOT);
	if (e->rule.kind == UNWIND_SIGNAL)
		status = step_signal(w, &e->rule);
	else
		status = step_out(w, &e->rule);
	if (status)
		walk_end(w, status);
}

/* Does a walker want the frame that was just located? Then it has the mode. */
static __always_inline bool divert(struct walk *w, struct pc_entry *e)
{
	u32 id = UNWIND_MARK_WALKER(e->rule.mark);

	if (w->wake < w->cfa) {
		w->mode = w->wake_mode;
		return true;
	}
	if (!e->rule.mark || w->located == LOCATED_MARKED ||
	    !(w->process.walkers >> (id & 15) & 1))
		return false;
	if (UNWIND_MARK_INDEX(e->rule.mark) == UNWIND_MARK_LINES &&
	    !config.lines)
		return false;
	w->located = LOCATED_MARKED;
	w->mode = MODE_WALKER + id;
	return true;
}

static __always_inline void native_step(struct walk *w)
{
	struct pc_entry *e;
	int status = 0;

	if (w->located) {
		/* Back from a walker: the frame is still the same, but looking
		 * at another address may have taken its slot. */
		e = entry_for(w, w->pc - !w->exact, w->slot, &status);
		if (!e)
			return walk_end(w, LOST_INTERNAL);
	} else {
		e = locate(w);
		if (!e)
			return;
		w->located = LOCATED;
	}
	if (!divert(w, e))
		finish(w, e);
}

#endif
