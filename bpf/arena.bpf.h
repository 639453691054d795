/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Look-ups in the arena, which user space fills (jpbpf/unwind.h): by chunk number, and
 * in the mapping table of a process.
 */
#ifndef JPBPF_ARENA_BPF_H
#define JPBPF_ARENA_BPF_H

#include "bpf/walk.bpf.h"

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

/* native.bpf.c: number of the last of n mappings, from chunk `first` on, that begins at
 * or below the address; 0 if none does. */
u32 mapping_search(u32 first, u32 n, u64 address);

/* The mapping, of n from chunk `first` on, that overlaps [start, end); NULL: none. */
static __always_inline struct unwind_mapping *mapping_find(u32 first, u32 n,
							   u64 start, u64 end)
{
	struct unwind_mapping *m =
		mapping_at(first, mapping_search(first, n, end - 1));

	return n && m && m->start < end && m->end > start ? m : NULL;
}

#endif
