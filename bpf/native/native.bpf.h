/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One step of native unwinding, inlined into the sampling loop.
 *
 * A step handles one frame.  locate() finds the rule for the address and the CFA.
 * finish() writes the frame, restores the caller's registers and moves to the caller
 * (jpbpf/unwinder.h).  Between the two the walkers have their turn (walk.bpf.h).
 *
 * A cache from address to rule, one per walk slot, answers nearly every look-up.
 * native.bpf.c answers the others.
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
static __always_inline u32 cache_slot(const struct walk *w, u64 address)
{
	u32 page = (u32)(address / CACHE_NEAR) * 0x9e3779b1u >> 25;
	u32 set = (u32)address * 0x9e3779b1u >> 27;

	return w->index * PC_CACHE_SLOTS + (page << 5 | set) * 2;
}
_Static_assert(PC_CACHE_SETS == 1u << (7 + 5), "cache_slot() takes 12 bits");

static __always_inline struct pc_entry *entry_at(u32 slot)
{
	return bpf_map_lookup_elem(&pc_cache, &slot);
}

static __always_inline bool is_for(const struct pc_entry *e,
				   const struct walk *w, u64 address)
{
	return e->pc == address && e->serial == w->process.serial;
}

/*
 * The cache entry for an address; NULL with *status set if there is no rule.  A set has
 * two entries, so two addresses that share it, as two functions of one recursion may,
 * cost no search per level.  *slot is the set's first and becomes the entry's.
 */
static __always_inline struct pc_entry *entry_for(struct walk *w, u64 address,
						  u32 *slot, int *status)
{
	struct pc_entry *e = entry_at(*slot);

	*status = CUT_NO_MAPPING;
	if (!e)
		return NULL;
	if (mostly(is_for(e, w, address)))
		return e;
	*status = native_fill(w, address, *slot);
	if (*status != NATIVE_SECOND)
		return *status ? NULL : e;
	*status = 0;
	*slot |= 1;
	return entry_at(*slot);
}

/* The frame has no rule: go on by the frame pointer, or end the walk. */
static __always_inline void no_rule(struct walk *w, struct pc_entry *e,
				    u32 status)
{
	if (e && !walk_push(w, e->frame))
		return;
	if ((status != CUT_NO_RULE && status != CUT_NO_TABLE) ||
	    ++w->frames > CURSOR_MAX_FRAMES || chain_step(w))
		walk_end(w, status);
}

/* The rule by which the frame was located has been withdrawn.  A walker may have
 * written its frames here already, so the sample cannot be deferred and walked
 * again. */
static __always_inline void rule_gone(struct walk *w, struct pc_entry *e)
{
	if (e)
		walk_push(w, e->frame);
	walk_end(w, CUT_NO_RULE);
}

/* There is no entry for the frame.  One that was located has a rule that has been
 * withdrawn. */
static __always_inline void not_found(struct walk *w, u64 address, int status)
{
	if (w->located)
		return rule_gone(w, entry_at(w->slot));
	if (status == NATIVE_UNMAPPED) {
		if (uprobe_step(w))
			return;
		native_unmapped(w, address);
		status = CUT_NO_MAPPING;
	}
	no_rule(w, entry_at(w->slot), status);
}

/* Writes the frame and goes to its caller. */
static __always_inline void finish(struct walk *w, struct pc_entry *e)
{
	int status;

	/* The record is full: the stack is cut even if this is the outermost frame. */
	if (!walk_push(w, e->frame))
		return;
	if (seldom(++w->frames > CURSOR_MAX_FRAMES))
		return walk_end(w, CUT_DEPTH);
	if (cursor_at_root(cursor_of(w), &e->rule))
		return walk_end(w, WALK_ROOT);
	status = cursor_leave(cursor_of(w), &e->rule);
	if (seldom(status))
		return walk_end(w, status);
	w->located = LOCATED_NOT;
}

/* Gives the mode to the walker that wants the frame just located.  Returns whether
 * there is one. */
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
	u64 address = w->pc + w->exact - 1;
	struct pc_entry *e;
	int status = 0;

	/* If a walker has given the mode back, the frame is the same, but a look-up of
	 * another address may have taken its slot. */
	w->slot = w->located ? w->slot & ~1u : cache_slot(w, address);
	e = entry_for(w, address, &w->slot, &status);
	if (seldom(!e))
		return not_found(w, address, status);
	if (!w->located) {
		status = cursor_locate(cursor_of(w), &e->rule);
		if (seldom(status))
			return no_rule(w, e, status);
		w->located = LOCATED;
	}
	if (!divert(w, e))
		finish(w, e);
}

#endif
