/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Walk slots: which running program owns which struct walk, and with it the part per
 * slot of other maps.
 *
 * A program at interrupt or NMI level ends before another of its level begins on the
 * same CPU.  Each of these levels has one slot per CPU, so a timer's sample inside
 * another source's walk has a slot of its own.  Programs at task level can be preempted
 * and can move to another CPU.  They share a pool; a slot belongs to the program that
 * claimed it, on whichever CPU it runs.  User space sets up the levels that have a
 * source.
 */
#ifndef JPBPF_SLOT_BPF_H
#define JPBPF_SLOT_BPF_H

#include "bpf/walk.bpf.h"

#define SLOT_TRIES 4u /* slots of the pool that are tried */

static __always_inline struct walk *slot_try(u32 index)
{
	struct walk *w = bpf_map_lookup_elem(&walks, &index);

	if (!w || __sync_val_compare_and_swap(&w->busy, 0, 1))
		return NULL;
	w->index = index;
	return w;
}

/* A free slot of the pool; NULL: none.  The slot with the CPU's number is tried first,
 * because it is in the CPU's caches. */
static __always_inline struct walk *slot_pool(u32 first, u32 cpu)
{
	u32 slots = config.slots[LEVEL_TASK];

	for (u32 i = 0; i < SLOT_TRIES && i < slots; i++) {
		u32 n = cpu + i < slots ? cpu + i : cpu + i - slots;
		struct walk *w = slot_try(first + n);

		if (w)
			return w;
	}
	return NULL;
}

/* Claims a slot of a level.  NULL: none is free; the sample is counted as LOST_BUSY. */
static __always_inline struct walk *slot_claim(u32 level)
{
	u32 cpu = bpf_get_smp_processor_id(), nobody = 0;
	u32 first = config.slots_first[level & (SOURCE_LEVELS - 1)];
	struct counters *s;
	struct walk *w;

	w = seldom(level == LEVEL_TASK) ? slot_pool(first, cpu)
					: slot_try(first + cpu);
	if (mostly(w))
		return w;
	s = bpf_map_lookup_elem(&stats, &nobody);
	if (s) {
		__sync_fetch_and_add(&s->taken, 1);
		__sync_fetch_and_add(&s->status[LOST_BUSY], 1);
	}
	return NULL;
}

static __always_inline void slot_release(struct walk *w)
{
	barrier();
	w->busy = 0;
}

#endif
