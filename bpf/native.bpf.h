/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One step of native unwinding, inlined into the sampling loop.
 *
 * A step handles one frame: locate() finds the rule for the address and from it
 * the CFA; finish() writes the frame, restores the caller's registers and moves
 * there (jpbpf/unwinder.h).  Between the two the walkers have their turn (see walk.bpf.h).
 *
 * What makes it fast: a per-CPU cache from address to rule answers nearly every
 * look-up (native.bpf.c does the rest).
 */
#ifndef JPBPF_NATIVE_BPF_H
#define JPBPF_NATIVE_BPF_H

#include "bpf/cursor.bpf.h"

#define CACHE_NEAR \
	(32u << 10) /* bytes of code that share a page of the cache */

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
	    ++w->frames > CURSOR_MAX_FRAMES || chain_step(w))
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

/* Rule and CFA of the frame at w->pc; NULL: the walk has ended, or it has gone on to
 * the next frame. */
static __always_inline struct pc_entry *locate(struct walk *w)
{
	u64 address = w->pc - !w->exact;
	u32 slot = cache_slot(w, address);
	struct pc_entry *e;
	int status = 0;

	w->slot = slot;
	e = entry_for(w, address, slot, &status);
	if (!e) {
		no_rule(w, entry_at(slot), status);
		return NULL;
	}
	status = cursor_locate(cursor_of(w), &e->rule);
	if (status) {
		no_rule(w, e, status);
		return NULL;
	}
	return e;
}

/* Write the frame and go to its caller. */
static __always_inline void finish(struct walk *w, struct pc_entry *e)
{
	int status;

	walk_push(w, e->frame);
	/* No room for it: then the stack is not whole, whatever comes now. */
	if (w->mode == MODE_DONE)
		return;
	if (++w->frames > CURSOR_MAX_FRAMES)
		return walk_end(w, CUT_DEPTH);
	if (cursor_at_root(cursor_of(w), &e->rule))
		return walk_end(w, WALK_ROOT);
	status = cursor_leave(cursor_of(w), &e->rule);
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
