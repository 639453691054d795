/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel side of the unwinder (jpbpf/unwinder.h): how it reads memory.
 *
 * Where memory cannot be read directly, the stack is read in blocks of up to 4 KiB.
 * Rarely needed operations are global functions, which the verifier checks once
 * (chain.bpf.c, native.bpf.c).
 */
#ifndef JPBPF_CURSOR_BPF_H
#define JPBPF_CURSOR_BPF_H

#include "bpf/walk.bpf.h"

#include <jpbpf/unwinder.h>

#include "arch/registers.bpf.h"
#include "bpf/block.bpf.h"

#define BELOW \
	64u /* bytes of the stack below a CFA, where registers are saved */

/* chain.bpf.c: go from the frame at w->pc, which is written already, to its caller by
 * the frame pointer, and write a status word that says so.  Returns 0, or -1 if no
 * caller is credible; then w is unchanged. */
int chain_step(struct walk *w);
/* chain.bpf.c: the CFA by a rule of kind UNWIND_DEPTH, or UNWIND_THREAD, to *cfa.
 * Returns 0 or a status. */
int chain_depth(struct walk *w, u64 *cfa, u32 owner, u32 depth);
int chain_thread(struct walk *w, u64 *cfa, s32 local, s32 owner, u32 near);

/* The walk that contains the cursor. */
static __always_inline struct walk *walk_of(struct cursor *c)
{
	return (struct walk *)c;
}
_Static_assert(!__builtin_offsetof(struct walk, pc), "the cursor comes first");

static __always_inline struct cursor *cursor_of(struct walk *w)
{
	return (struct cursor *)w;
}

static __always_inline int side_word(struct cursor *c, u64 address, u64 *out)
{
	struct walk *w = walk_of(c);

	if (seldom(!DIRECT_READS || !w->direct.table))
		return block_word(w, address, out);
	return walk_word(w, out, address);
}

/* A word at a return address's place.  A block, where one is needed, begins a little
 * below the CFA, because the words that the walk reads next lie above it. */
static __always_inline int side_return(struct cursor *c, u64 address, u64 *out)
{
	struct walk *w = walk_of(c);
	u64 kernel = direct_at(&w->direct, address, sizeof(*out));
	u64 low = (w->cfa - BELOW) & ~7ull;

	if (mostly(kernel)) {
		*out = direct_load(kernel);
		return 0;
	}
	if (!block_has(w, low, w->cfa))
		block_read(w, low);
	return block_word(w, address, out);
}

static __always_inline int side_far_word(struct cursor *c, u64 address,
					 u64 *out)
{
	return walk_word(walk_of(c), out, address);
}

static __always_inline const u64 *side_signal(struct cursor *c, u64 address)
{
	struct walk *w = walk_of(c);
	const u64 *word = w->block;

	w->block_len = 0;
	if (walk_read(w, w->block, sizeof(u64) * (REG_COUNT + 1), address))
		word = NULL;
	/* The verifier of Linux 6.1 does not connect `word` with the error tested. */
	barrier_var(word);
	return word;
}

static __always_inline u64 side_thread(struct cursor *c)
{
	u64 other = direct_foreign ? walk_of(c)->thread : 0;

	return other ? other : arch_thread(bpf_get_current_task_btf());
}

static __always_inline bool side_is_known(struct cursor *c, u64 address)
{
	return native_word(walk_of(c), address);
}

static __always_inline void side_read_saved(struct cursor *c)
{
	native_registers(walk_of(c));
}

static __always_inline int side_depth(struct cursor *c, u64 *cfa,
				      const struct unwind_rule *r)
{
	return chain_depth(walk_of(c), cfa, (u32)r->cfa_off, (u32)r->deref_off);
}

static __always_inline int side_of_thread(struct cursor *c, u64 *cfa,
					  const struct unwind_rule *r)
{
	return chain_thread(walk_of(c), cfa, r->cfa_off, r->deref_off,
			    r->near[0] | r->near[1] << 8);
}

struct chain_search;

static __always_inline void side_loop(u32 n,
				      long (*fn)(u32 i, struct chain_search *s),
				      struct chain_search *s)
{
	bpf_loop(n, fn, s, 0);
}

#endif
