/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The profile: named stacks, each with its number of samples and its value.  The
 * outputs read it.
 *
 * Two stacks are equal if their frames are equal as data and the members of struct
 * profile_key that the view asks for (enum profile_by) are equal.
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
	u32 command;  /* text id */
	u32 pid, tid; /* 0: not told apart */
};

/* texts: strings; frames: struct frame; stacks: struct profile_key, then frame ids. */
struct profile {
	struct intern *texts, *frames, *stacks;
	/* Source and unit of the values; NULL: not known. */
	const char *event, *unit;
	/* Microseconds that a sample stands for; 0: not known. */
	u64 interval;
};

struct profile_sum {
	/* Sums of the samples' weights (jpbpf/sample.h) and values. */
	u64 weight, value;
};

struct profile_stack {
	const struct profile_key *key;
	struct profile_sum sum;
	size_t depth;
	const u32 *frame; /* outermost first */
};

struct profile *profile_new(void);
void profile_free(struct profile *p);
/* Both functions: if add is false, only what the profile already has is found or
 * counted.  profile_add() returns false if the stack is not there and add is false. */
bool profile_add(struct profile *p, const struct profile_key *key,
		 const u32 *frame, size_t depth, const struct profile_sum *sum,
		 bool add);
/* Returns the frame's id, or INTERN_NONE.  The text ids in f are the profile's. */
u32 profile_add_frame(struct profile *p, const struct frame *f, bool add);
size_t profile_bytes(const struct profile *p); /* bytes of memory held */

/* The returned pointers are valid as long as the profile. */
const char *profile_text(const struct profile *p, u32 id);
const struct frame *profile_frame(const struct profile *p, u32 id);
struct profile_stack profile_stack(struct profile *p, u32 i);

#endif
