/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Raw stacks, summed up: equal words under equal keys are one entry.  This is what
 * grows while sampling, so it keeps no text and no names.
 */
#ifndef JPBPF_USER_PROFILE_STACKS_H
#define JPBPF_USER_PROFILE_STACKS_H

#include <jpbpf/sample.h>

#include "user/profile/profile.h"

struct intern *stacks_new(void); /* intern_free() ends it */

/* What besides its words tells a stack from others; 0 in what need not. */
struct stack_key {
	char comm[COMM_LEN]; /* NUL-terminated, zeros after it */
	u32 pid, tid;
	u32 status; /* enum walk_status */
	u32 spare;
};

struct stack {
	struct profile_sum sum;
	u32 words;
	const struct stack_key *key;
	const u64 *word;
};

void stacks_add(struct intern *stacks, const struct stack_key *key,
		const u64 *word, u32 words, u64 value);
/* Stack number i (0-based), in the order of first sight.  key and word stay where
 * they are as long as the stacks. */
struct stack stacks_get(struct intern *stacks, u32 i);

#endif
