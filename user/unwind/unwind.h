/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native unwinding in user space, over registers and a stack that were copied:
 * the same source as in the kernel (jpbpf/unwinder.h).
 */
#ifndef JPBPF_USER_UNWIND_UNWIND_H
#define JPBPF_USER_UNWIND_UNWIND_H

#include <stdbool.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

/* How the unwinder learns about addresses, and what it finds. */
struct unwind_env {
	/* Copy the rule for an address to *rule, its frame word to *word (right
	 * also on errors).  0, or the status that ends the walk. */
	u32 (*rule)(void *ctx, u64 address, struct unwind_rule *rule,
		    u64 *word);
	/* A frame was found, leaf first; or, without a rule, a status word that says how
	 * the next one was. */
	void (*frame)(void *ctx, u64 word, const struct unwind_rule *rule,
		      u64 cfa);
	/* The word at an address of a file's code. false: none is known. */
	bool (*code)(void *ctx, u64 address, u64 *out);
	void *ctx;
};

/* Go outward from where k stands.  WALK_ROOT, or the status that ended it; the
 * frame that could not be left is told as well, with the rule NULL. */
u32 unwind_deferred(const struct deferred *k, const struct unwind_env *env);

#endif
