/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The profile: named stacks and how often and for how much they were sampled.  What outputs read.
 *
 * Two stacks are one when all is equal that the view asks for: their frames, as data,
 * and of struct profile_key what its enum profile_by says.
 */
#ifndef JPBPF_USER_PROFILE_PROFILE_H
#define JPBPF_USER_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/lib/frame.h"
#include "user/lib/intern.h"

enum profile_by { PROFILE_BY_PID = 1 << 0, PROFILE_BY_TID = 1 << 1 };

struct profile_key {
	u32 command;  /* text */
	u32 pid, tid; /* 0: of any */
};

/* The texts, struct frames and stacks; a stack is its key, then ids of frames. */
struct profile {
	struct intern *texts, *frames, *stacks;
	const char *event, *unit; /* of which the values are; NULL: not known */
	u64 interval; /* microseconds that one sample stands for; 0: not known */
};

struct profile_sum {
	u64 samples, value; /* value: the sum of theirs */
};

struct profile_stack {
	const struct profile_key *key;
	struct profile_sum sum;
	size_t depth;
	const u32 *frame; /* outermost first */
};

struct profile *profile_new(void);
void profile_free(struct profile *p);
/* Each: add, or only when it is there already; else false. */
bool profile_add(struct profile *p, const struct profile_key *key,
		 const u32 *frame, size_t depth, const struct profile_sum *sum,
		 bool add);
/* The frame's id; its texts are the profile's. */
u32 profile_add_frame(struct profile *p, const struct frame *f, bool add);
size_t profile_bytes(const struct profile *p); /* memory held */

/* What they return lives as long as the profile. */
const char *profile_text(const struct profile *p, u32 id);
const struct frame *profile_frame(const struct profile *p, u32 id);
struct profile_stack profile_stack(struct profile *p, u32 i);

#endif
