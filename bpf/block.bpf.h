/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The block of a walk: a part of the user's stack that one call of the helper has read.  It
 * serves where memory cannot be read directly. */
#ifndef JPBPF_BLOCK_BPF_H
#define JPBPF_BLOCK_BPF_H

#include "bpf/walk.bpf.h"

#define BLOCK_LEAST 128u /* bytes, at least */

/*
 * Reads the user's stack from low upward into the block.  The size adapts to the walk,
 * because cold memory costs by the cache line: small where frames are far apart, up to
 * 4 KiB where they are close.
 */
static __always_inline void block_read(struct walk *w, u64 low)
{
	u64 end = w->block_base + w->block_len;
	u32 size = w->block_size;

	if (low >= w->block_base && low - end < 512)
		size *= 2;
	else
		size /= 2;
	if (size < BLOCK_LEAST)
		size = BLOCK_LEAST;
	if (size > sizeof(w->block))
		size = sizeof(w->block);
	w->block_size = size;
	w->block_base = low;
	w->block_len = size;
	if (!walk_read(w, w->block, size, low))
		return;
	/* Near the end of a stack only the low part is mapped. */
	w->block_len = 64;
	if (walk_read(w, w->block, 64, low))
		w->block_len = 0;
}

/* Whether [low, high) lies in the block. */
static __always_inline bool block_has(const struct walk *w, u64 low, u64 high)
{
	return low - w->block_base < w->block_len &&
	       high - w->block_base <= w->block_len;
}

/* A word of the block, which must hold the address. */
static __always_inline u64 block_at(const struct walk *w, u64 address)
{
	u64 off = address - w->block_base;

	return w->block[(off >> 3) & (WALK_BLOCK_WORDS - 1)];
}

/* One word of the user's stack from the block, or by the helper if the block does not
 * hold it. */
static __always_inline int block_word(struct walk *w, u64 address, u64 *out)
{
	if (address - w->block_base >= w->block_len || address & 7)
		return walk_read(w, out, 8, address);
	*out = block_at(w, address);
	return 0;
}

#endif
