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

/* The process's last mapping that begins at or below the address; NULL: none. */
static __always_inline struct unwind_mapping *
mapping_find(const struct process_entry *p, u64 address)
{
	u32 base = 0, n = p->maps;
	struct unwind_mapping *m;

	for (u32 step = 1u << 15; step; step >>= 1) {
		u32 at = (base + step) & (u32)mask_le(base + step + 1, n);

		m = mapping_at(p->maps_first, at);
		if (!m)
			return NULL;
		base += step & (u32)mask_le(m->start, address) &
			(u32)mask_le(base + step + 1, n);
	}
	m = mapping_at(p->maps_first, base);
	return m && m->start <= address ? m : NULL;
}

#endif
