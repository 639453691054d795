/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Walk slots: who may use which struct walk, and with it which part of every map that
 * has a part per slot.
 *
 * A program that runs with interrupts off, or as an NMI, ends before another of its
 * level begins on the same CPU: each of these levels has a slot per CPU, so a timer's
 * sample inside another source's walk has its own.  Programs at the level of tasks can
 * be preempted and go on elsewhere: they share a pool, and a slot of it belongs to the
 * program that claimed it, whichever CPU it runs on.  User space sets up those levels
 * that have a source.
 */
#ifndef JPBPF_SLOT_BPF_H
#define JPBPF_SLOT_BPF_H

#include "bpf/walk.bpf.h"

#define SLOT_TRIES 4u /* of the pool */

static __always_inline struct walk *slot_try(u32 index)
{
	struct walk *w = bpf_map_lookup_elem(&walks, &index);

	if (!w || __sync_val_compare_and_swap(&w->busy, 0, 1))
		return NULL;
	w->index = index;
	return w;
}

/* A free slot of the pool; the CPU's own first: what is in its caches. */
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

/* NULL: none is free, which is counted. */
static __always_inline struct walk *slot_claim(u32 level)
{
	u32 cpu = bpf_get_smp_processor_id(), nobody = 0;
	u32 first = config.slots_first[level & (SOURCE_LEVELS - 1)];
	struct counters *s;
	struct walk *w;

	w = level == LEVEL_TASK ? slot_pool(first, cpu) : slot_try(first + cpu);
	if (w)
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
