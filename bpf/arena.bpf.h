/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Look-ups in the arena, which user space fills (jpbpf/unwind.h): by chunk number, and
 * in the mapping table of a process.
 */
#ifndef JPBPF_ARENA_BPF_H
#define JPBPF_ARENA_BPF_H

#include "bpf/walk.bpf.h"

/* Sign mask: all ones when a <= b, for values below 2^63. */
static __always_inline u64 mask_le(u64 a, u64 b)
{
	return (u64)((s64)(a - b - 1) >> 63);
}

static __always_inline void *arena_at(u32 chunk)
{
	u32 segment = chunk >> ARENA_SEGMENT_SHIFT;
	u32 index = chunk & (ARENA_SEGMENT_CHUNKS - 1);
	void *inner = bpf_map_lookup_elem(&arena, &segment);

	if (!inner)
		return NULL;
	return bpf_map_lookup_elem(inner, &index);
}

static __always_inline struct unwind_mapping *mapping_at(u32 first, u32 i)
{
	struct unwind_mapping *pair = arena_at(first + i / 2);

	if (!pair)
		return NULL;
	return &pair[i & 1];
}

/* A search for the last of n mappings, from chunk `first` on, that begins below end. */
struct arena_search {
	u64 end;
	u32 first, n;
	u32 base; /* number of the best mapping found so far */
	u32 spare;
};

static long arena_search_step(u32 i, struct arena_search *s)
{
	u32 step = 1u << (15 - (i & 15));
	struct unwind_mapping *m;

	if (step >= s->n || s->base + step >= s->n)
		return 0;
	m = mapping_at(s->first, s->base + step);
	if (m && m->start < s->end)
		s->base += step;
	return 0;
}

/* Whether any of n mappings from chunk `first` on overlaps [start, end).  The search is
 * a bpf_loop() because its body is then verified only once: load time counts here. */
static __always_inline bool arena_maps(u32 first, u32 n, u64 start, u64 end)
{
	struct arena_search search = { .end = end, .first = first, .n = n };
	struct unwind_mapping *m;

	if (!n)
		return false;
	bpf_loop(16, arena_search_step, &search, 0);
	m = mapping_at(first, search.base);
	return m && m->start < end && m->end > start;
}

#endif
