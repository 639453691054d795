/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Counts the samples of a recording by their stack, task and event. */
#ifndef JPBPF_USER_PROFILE_TALLY_H
#define JPBPF_USER_PROFILE_TALLY_H

#include <stddef.h>

#include <jpbpf/types.h>

#include "user/profile/profile.h"

struct tally_key {
	u32 stack, task, event, spare;
};

struct tally_count {
	struct tally_key of;
	struct profile_sum sum;
};

#define TALLY_AHEAD 32

struct tally {
	/* Called with the number of its count for each sample, in their order. */
	void (*counted)(void *ctx, u32 id);
	void *ctx;
	struct tally_count *count; /* by their numbers */
	size_t n, capacity;
	u32 *place; /* by hash */
	size_t places;
	struct tally_count ahead[TALLY_AHEAD]; /* added later */
	u64 hash[TALLY_AHEAD];
	size_t aheads;
};

/* Add a sample.  It is counted at the latest by the next tally_finish(). */
void tally_add(struct tally *t, const struct tally_key *key,
	       const struct profile_sum *sum);
void tally_finish(struct tally *t);
/* The numbers of the counts in the order of their stacks, which are below stacks.  The caller
 * frees them. */
u32 *tally_order(const struct tally *t, size_t stacks);
/* Forget all counts, and free what is held. */
void tally_reset(struct tally *t);

#endif
