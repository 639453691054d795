/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One step of native unwinding, inlined into the sampling loop.
 *
 * A step handles one frame: locate() finds the rule for the address and from it
 * the CFA; finish() writes the frame, restores the caller's registers and moves
 * there.  Between the two the walkers have their turn (see walk.bpf.h).
 *
 * What makes it fast: a per-CPU cache from address to rule answers nearly every
 * look-up (native.bpf.c does the rest), and of most frames one word is read, the return
 * address: for a saved register it is noted where it is, and few are ever asked for.
 * Where memory cannot be read directly the stack is read in blocks of up to 4 KiB.
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
#define CACHE_NEAR \
	(32u << 10) /* bytes of code that share a page of the cache */
#define BELOW \
	64u /* bytes of the stack below a CFA, where registers are saved */

/*
 * The first slot of an address's set, the only one that is looked at here: the second
 * is native_fill()'s.  What is near in the code shares a page of the cache: of a sample
 * that finds the processor's caches cold each page costs as much as several lines.
 */
static __always_inline u32 cache_slot(const struct walk *w, u64 address)
{
	u32 page = (u32)(address / CACHE_NEAR) * 0x9e3779b1u >> 25;
	u32 set = (u32)address * 0x9e3779b1u >> 27;

	return w->index * PC_CACHE_SLOTS + (page << 5 | set) * 2;
}
_Static_assert(PC_CACHE_SETS == 1u << (7 + 5), "cache_slot() takes 12 bits");

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

/* One word of the user's stack, where the direct map does not have it. */
static __always_inline int block_word(struct walk *w, u64 address, u64 *out)
{
	u64 off = address - w->block_base;

	if (off >= w->block_len || (off & 7))
		return bpf_probe_read_user(out, 8, (const void *)address);
	*out = w->block[(off >> 3) & (WALK_BLOCK_WORDS - 1)];
	return 0;
}

/* One word of the user's stack. */
static __always_inline int stack_word(struct walk *w, u64 address, u64 *out)
{
	u64 kernel = direct_at(&w->direct, address, sizeof(*out));

	if (!kernel)
		return block_word(w, address, out);
	*out = direct_word(kernel);
	return 0;
}

/*
 * A frame's return address.  What is not read directly is read in blocks, from a
 * little below the CFA: what a walk reads next lies above it.
 */
static __always_inline int return_address(struct walk *w, u64 address, u64 *out)
{
	u64 kernel = direct_at(&w->direct, address, sizeof(*out));
	u64 low = (w->cfa - BELOW) & ~7ull;

	if (kernel) {
		*out = direct_word(kernel);
		return 0;
	}
	if (!walk_in_block(w, low, w->cfa))
		walk_block(w, low);
	return block_word(w, address, out);
}

static __always_inline bool have(const struct walk *w, u32 reg)
{
	return w->valid >> (reg & 15) & 1;
}

/* Have the register that a CFA counts from: most that are saved are never asked for.
 * That is the frame pointer, or hardly any. */
static __always_inline bool need(struct walk *w, u32 reg)
{
	u64 value;

	if (!have(w, reg) || !(w->saved >> reg & 1))
		return have(w, reg);
	if (reg != REG_FRAME) {
		native_registers(w);
		return have(w, reg);
	}
	w->saved &= ~(1u << REG_FRAME);
	if (stack_word(w, w->saved_at[SAVED_FRAME], &value)) {
		w->valid &= ~(1u << REG_FRAME);
		return false;
	}
	w->reg[REG_FRAME] = value;
	return true;
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
		if (!need(w, reg))
			return CUT_LOST_REGISTER;
		*cfa = w->reg[reg] + (s64)r->cfa_off;
		return 0;
	case UNWIND_DEREF:
		if (!need(w, reg))
			return CUT_LOST_REGISTER;
		return cfa_deref(w, r, cfa);
	case UNWIND_PLT:
		*cfa = w->reg[REG_STACK] + arch_plt_depth(w->pc, r->cfa_off);
		return 0;
	case UNWIND_SIGNAL:
	case UNWIND_ROOT:
		*cfa = w->cfa;
		return 0;
	case UNWIND_DEPTH:
		return chain_depth(w, cfa, (u32)r->cfa_off, (u32)r->deref_off);
	case UNWIND_THREAD:
		return chain_thread(w, cfa, r->cfa_off, r->deref_off,
				    r->near[0] | r->near[1] << 8);
	case UNWIND_SWITCH:
		return CUT_SWITCH;
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

/* The frame was located by a rule that is not there any more.  What was at the frame is
 * told already, so it cannot be kept and found once more. */
static __always_inline void rule_gone(struct walk *w, struct pc_entry *e)
{
	if (e)
		walk_push(w, e->frame);
	walk_end(w, CUT_NO_RULE);
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
	return rule->kind != UNWIND_PLT &&
	       (rule->cfa_reg != REG_STACK || rule->kind >= UNWIND_DEPTH) &&
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

static __always_inline void restore(struct walk *w, u32 reg, u32 i,
				    struct unwind_rule *r, u64 base)
{
	s16 slot = r->slot[i];

	if (slot == UNWIND_SLOT_SAME)
		return;
	if (slot == UNWIND_SLOT_LOST) {
		w->valid &= ~(1u << reg);
		return;
	}
	w->saved_at[i] = base + (s64)slot * 8;
	w->saved |= 1u << reg;
	/* Also one that an inner frame has lost. */
	w->valid |= 1u << reg;
}

/* The caller's callee-saved registers. */
static __always_inline void restore_all(struct walk *w, struct unwind_rule *r,
					u64 base)
{
	if (r->flags & UNWIND_JUMP)
		w->reg[REG_FRAME] = w->reg[r->slot[SAVED_FRAME] & 15];
	else
		restore(w, REG_FRAME, SAVED_FRAME, r, base);
	if (!w->want_saved)
		return;
	for (u32 i = 0; i < SAVED_REGS; i++)
		if (i != SAVED_FRAME)
			restore(w, saved_reg[i], i, r, base);
}

/* Are the registers at hand that an unusual rule counts from, besides the CFA's? */
static __always_inline bool has_bases(const struct walk *w,
				      const struct unwind_rule *r)
{
	u32 need = 0;

	if (r->flags & (UNWIND_SLOTS_FROM_FRAME | UNWIND_RA_FROM_FRAME))
		need |= 1u << REG_FRAME;
	if (r->flags & UNWIND_RA_IN_REG)
		need |= 1u << (r->ra & 15);
	if (r->flags & UNWIND_JUMP)
		need |= 1u << (r->deref_off & 15) |
			1u << (r->slot[SAVED_FRAME] & 15);
	return (w->valid & need) == need;
}

/* The return address and the registers of the frame's caller. */
static __always_inline int step_out(struct walk *w, struct unwind_rule *r)
{
	u64 ra_base = w->cfa, base = w->cfa;
	u64 pc = 0;

	if (r->flags) {
		native_registers(w);
		if (!has_bases(w, r))
			return CUT_LOST_REGISTER;
		if (r->flags & UNWIND_SLOTS_FROM_FRAME)
			base = w->reg[REG_FRAME];
		if (r->flags & UNWIND_JUMP)
			base = w->reg[r->deref_off & 15];
		if (r->flags & UNWIND_RA_FROM_FRAME)
			ra_base = w->reg[REG_FRAME];
	}
	if (r->flags & UNWIND_RA_IN_REG)
		pc = w->reg[r->ra & 15];
	else if (return_address(w, ra_base + (s64)r->ra * 8, &pc))
		return CUT_STACK_READ;
	if (!pc)
		return CUT_NULL_RETURN;
	restore_all(w, r, base);
	w->valid &= w->want_saved ? REGS_KEPT : 1u << REG_FRAME;
	w->valid |= 1u << REG_STACK;
	w->reg[REG_STACK] = w->cfa;
	w->pc = pc;
	w->exact = !!(r->flags & UNWIND_INTERRUPTED);
	return 0;
}

static __always_inline int step_signal(struct walk *w, struct unwind_rule *r)
{
	u64 *g = w->block, at;

	w->block_len = 0;
	if (!need(w, r->cfa_reg & 15))
		return CUT_LOST_REGISTER;
	at = w->reg[r->cfa_reg & 15] + (s64)r->cfa_off;
	if (bpf_probe_read_user(g, sizeof(g[0]) * (REG_COUNT + 1),
				(const void *)at))
		return CUT_STACK_READ;
	for (u32 i = 0; i < REG_COUNT; i++)
		w->reg[signal_reg[i]] = g[i];
	w->pc = g[REG_COUNT];
	w->valid = 0xffff;
	w->saved = 0;
	w->exact = 1;
	/* The handler may have run on another stack: start the order anew. */
	at = w->reg[REG_STACK] - 1;
	if (at <= w->cfa && ++w->falls > MAX_FALLS)
		return CUT_NOT_RISING;
	w->cfa = at;
	return w->pc ? 0 : CUT_NULL_RETURN;
}

static __always_inline bool is_root(const struct walk *w,
				    const struct unwind_rule *r)
{
	return r->kind == UNWIND_ROOT ||
	       (r->kind == UNWIND_CLONE && !w->reg[REG_RESULT]);
}

/* Write the frame and go to its caller. */
static __always_inline void finish(struct walk *w, struct pc_entry *e)
{
	int status;

	walk_push(w, e->frame);
	/* No room for it: then the stack is not whole, whatever comes now. */
	if (w->mode == MODE_DONE)
		return;
	if (++w->frames > WALK_MAX_FRAMES)
		return walk_end(w, CUT_DEPTH);
	if (is_root(w, &e->rule))
		return walk_end(w, WALK_ROOT);
	if (e->rule.kind == UNWIND_SIGNAL)
		status = step_signal(w, &e->rule);
	else
		status = step_out(w, &e->rule);
	if (status)
		return walk_end(w, status);
	w->located = LOCATED_NOT;
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
	if (w->want_saved)
		native_registers(w);
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
			return rule_gone(w, entry_at(w->slot));
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
