/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One step of native unwinding, inlined into the sampling loop.
 *
 * A step handles one frame: take_frame() locates it by the rule for its address, and
 * finish() writes it, restores the caller's registers and moves to the caller
 * (jpbpf/unwinder.h).  Between the two the walkers have their turn (walk.bpf.h).
 *
 * A cache from address to rule, one per walk slot, answers nearly every look-up, and nearly
 * every rule is plain.  The code here is made for those.  native_take() in native.bpf.c
 * is the same for any other frame.
 */
#ifndef JPBPF_NATIVE_BPF_H
#define JPBPF_NATIVE_BPF_H

#include "bpf/native/cursor.bpf.h"

#define CACHE_NEAR \
	(32u << 10) /* bytes of code that share a page of the cache */

/*
 * The first slot of an address's set.  Addresses
 * that are near in the code share a page of the cache: when the processor's caches are
 * cold, a page costs a sample as much as several cache lines.
 */
static __always_inline u32 cache_slot(u64 address)
{
	u32 page = (u32)(address / CACHE_NEAR) * 0x9e3779b1u >> 25;
	u32 set = (u32)address * 0x9e3779b1u >> 27;

	return (page << 5 | set) * 2;
}
_Static_assert(PC_CACHE_SETS == 1u << (7 + 5), "cache_slot() takes 12 bits");

static __always_inline bool is_for(const struct pc_entry *e,
				   const struct walk *w, u64 address)
{
	return e->pc == address && e->serial == w->process.serial;
}

/* The frame has no rule: go on by the frame pointer, or end the walk. */
static __always_inline void no_rule(struct walk *w, struct pc_entry *e,
				    u32 status)
{
	if (!walk_push(w, e->frame))
		return;
	if ((status != CUT_NO_RULE && status != CUT_NO_TABLE) ||
	    ++w->frames > CURSOR_MAX_FRAMES || chain_step(w))
		walk_end(w, status);
}

/* Writes the frame and goes to its caller. */
static __always_inline void finish(struct walk *w, struct pc_entry *e,
				   struct unwind_head h)
{
	int status;

	/* The record is full: the stack is cut even if this is the outermost frame. */
	if (!walk_push(w, e->frame))
		return;
	if (seldom(++w->frames > CURSOR_MAX_FRAMES))
		return walk_end(w, CUT_DEPTH);
	if (cursor_at_root(cursor_of(w), h))
		return walk_end(w, WALK_ROOT);
	status = cursor_leave(cursor_of(w), h, &e->rule);
	if (seldom(status))
		return walk_end(w, status);
	w->located = LOCATED_NOT;
}

/* Gives the mode to the walker that wants the frame just located.  Returns whether
 * there is one. */
static __always_inline bool divert(struct walk *w, struct unwind_head h)
{
	u32 id = UNWIND_MARK_WALKER(h.mark);

	if (w->wake < w->cfa) {
		w->mode = w->wake_mode;
		return true;
	}
	if (!h.mark || w->located == LOCATED_MARKED ||
	    !(w->process.walkers >> (id & 15) & 1))
		return false;
	if (UNWIND_MARK_INDEX(h.mark) == UNWIND_MARK_LINES && !config.lines)
		return false;
	w->located = LOCATED_MARKED;
	w->mode = MODE_WALKER + id;
	if (w->want_saved)
		native_registers(w);
	return true;
}

/* Takes the frame at hand, of which e is for: to a walker or to its caller.  h: the head of
 * e's rule. */
static __always_inline void take_frame(struct walk *w, struct pc_entry *e,
				       struct unwind_head h)
{
	if (!w->located) {
		int status = cursor_locate(cursor_of(w), h, &e->rule);

		if (seldom(status))
			return no_rule(w, e, status);
		w->located = LOCATED;
	}
	if (!divert(w, h))
		finish(w, e, h);
}

/* Whether the rule is like nearly all: the CFA counts from the stack pointer, and nothing
 * is special but for the mark. */
static __always_inline bool is_plain(const struct unwind_rule *r)
{
	const struct unwind_rule plain = { .kind = UNWIND_CFA,
					   .cfa_reg = REG_STACK };
	const struct unwind_rule mark = { .mark = 0xff };

	return (r->word & ~mark.word) == plain.word;
}

static __always_inline void native_step(struct walk *w)
{
	u64 address = w->pc + w->exact - 1;
	struct unwind_head plain;
	struct pc_entry *e;

	/* If a walker has given the mode back, the frame is the same, but a look-up of
	 * another address may have taken its slot. */
	w->slot = w->located ? w->slot & ~1u : cache_slot(address);
	e = walk_entry(w, w->slot);
	if (mostly(is_for(e, w, address) && is_plain(&e->rule))) {
		plain = (struct unwind_head){ UNWIND_CFA, REG_STACK,
					      e->rule.mark, 0 };
		take_frame(w, e, plain);
	} else {
		native_take(w, address);
	}
}

#endif
