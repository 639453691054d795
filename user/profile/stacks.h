/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Raw stacks, counted: equal words under equal command names are one entry.
 * This is what grows while sampling, so it keeps no text and no names.
 */
#ifndef JPBPF_USER_PROFILE_STACKS_H
#define JPBPF_USER_PROFILE_STACKS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct stacks; /* opaque */

struct stack {
	u64 count; /* samples */
	u32 words;
	u32 status; /* enum walk_status */
	const char *comm;
	const u64 *word;
};

struct stacks *stacks_new(void);
void stacks_free(struct stacks *s);
void stacks_add(struct stacks *s, const char *comm, u32 status, const u64 *word,
		u32 words);
size_t stacks_count(const struct stacks *s); /* distinct stacks */
size_t stacks_bytes(const struct stacks *s); /* memory held */
/* Stack number i (0-based), in the order of first sight.  comm and word stay
 * where they are until stacks_free(). */
struct stack stacks_get(const struct stacks *s, size_t i);

#endif
