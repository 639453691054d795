/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native unwinding in user space, over registers and a stack that were copied:
 * the same rules and the same ends as in bpf/native.bpf.h.
 */
#ifndef JPBPF_USER_UNWIND_UNWIND_H
#define JPBPF_USER_UNWIND_UNWIND_H

#include <stddef.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

/* How the unwinder learns about addresses, and what it finds. */
struct unwind_env {
	/* Copy the rule for an address to *rule, its frame word to *word (right
	 * also on errors).  0, or the status that ends the walk. */
	u32 (*rule)(void *ctx, u64 address, struct unwind_rule *rule,
		    u64 *word);
	/* A frame was found, leaf first. */
	void (*frame)(void *ctx, u64 word, const struct unwind_rule *rule,
		      u64 cfa);
	/* The n-th page of the stack; NULL: they stand behind k. */
	const u8 *(*page)(void *ctx, u32 n);
	void *ctx;
};

/* Go outward from where k stands.  WALK_ROOT, or the status that ended it; the
 * frame that could not be left is told as well, with the rule NULL. */
u32 unwind_deferred(const struct deferred *k, const struct unwind_env *env);

#endif
