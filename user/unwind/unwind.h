/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native unwinding in user space, over copied registers and a copied stack, by the
 * same source as in the kernel (jpbpf/unwinder.h).
 */
#ifndef JPBPF_USER_UNWIND_UNWIND_H
#define JPBPF_USER_UNWIND_UNWIND_H

#include <stdbool.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

/* The unwinder's source of rules and code, and its sink for frames. */
struct unwind_env {
	/* Copies the rule for an address to *rule, and its frame word to *word
	 * (right also on errors). 0, or the status that ends the walk. */
	u32 (*rule)(void *ctx, u64 address, struct unwind_rule *rule,
		    u64 *word);
	/* Gets each frame, leaf first. rule is NULL for a frame that could not be
	 * left, and for a status word that says how the next frame was found. */
	void (*frame)(void *ctx, u64 word, const struct unwind_rule *rule,
		      u64 cfa);
	/* Reads the word at an address of a file's code. false: not known. */
	bool (*code)(void *ctx, u64 address, u64 *out);
	void *ctx;
};

/* Walks outward from the cursor of k. Returns WALK_ROOT, or the status that ended
 * the walk. */
u32 unwind_deferred(const struct deferred *k, const struct unwind_env *env);

#endif
