/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What user space has put into the arena (jpbpf/unwind.h), and where a process has
 * mappings there.
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

/*
 * Is any of n mappings from chunk first on within [start, end)? Only as many steps as n
 * needs: for one search a branch a step is not too much for the verifier.
 */
static __always_inline bool arena_maps(u32 first, u32 n, u64 start, u64 end)
{
	struct unwind_mapping *m;
	u32 base = 0;

	for (u32 step = 1u << 15; step; step >>= 1) {
		if (step >= n)
			continue;
		m = mapping_at(first, (base + step) &
					      (u32)mask_le(base + step + 1, n));
		if (!m)
			return false;
		base += step & (u32)mask_le(m->start + 1, end) &
			(u32)mask_le(base + step + 1, n);
	}
	m = n ? mapping_at(first, base) : NULL;
	return m && m->start < end && m->end > start;
}

#endif
