/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Raw stacks, counted: equal words under equal keys are one entry.  Entries hold
 * neither texts nor names, because their number grows while sampling goes on.
 */
#ifndef JPBPF_USER_PROFILE_STACKS_H
#define JPBPF_USER_PROFILE_STACKS_H

#include <jpbpf/sample.h>

#include "user/profile/profile.h"

/* What tells stacks of equal words apart.  A member that the view does not ask for is
 * 0. */
struct stack_key {
	char comm[COMM_LEN]; /* NUL-terminated, zeros after it */
	u32 pid, tid;
	u32 status; /* enum walk_status */
	u32 event;  /* of the profile */
};

struct stack {
	struct profile_sum sum;
	u32 words;
	const struct stack_key *key;
	const u64 *word;
};

void stacks_add(struct intern *stacks, const struct stack_key *key,
		const u64 *word, u32 words, const struct profile_sum *add);
/* Stack number i (from 0), in the order of first sight.  key and word are valid as
 * long as the stacks. */
struct stack stacks_get(struct intern *stacks, u32 i);

#endif
