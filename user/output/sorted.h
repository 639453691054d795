/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The stacks of a profile, sorted by command and by the texts of their frames, so that
 * the same profile always gives the same output.  Stacks that read the same are
 * merged. */
#ifndef JPBPF_USER_OUTPUT_SORTED_H
#define JPBPF_USER_OUTPUT_SORTED_H

#include "user/lib/buf.h"
#include "user/profile/profile.h"

/* Texts by id, mostly by frame id. */
struct labels {
	struct buf bytes;
	size_t *at; /* offset of each text; a NUL ends it */
};

struct sorted {
	struct profile *profile;
	struct labels text; /* texts by frame id */
	struct sorted_stack {
		u32 id; /* any one of the profile's stacks that read so */
		struct profile_sum sum;
	} * stack;
	size_t n;
};

void sorted_make(struct sorted *s, struct profile *p);
void sorted_release(struct sorted *s);
struct profile_stack sorted_get(const struct sorted *s, size_t i);
const char *sorted_command(const struct sorted *s,
			   const struct profile_stack *stack);

/* Make one text for each of the ids below n: what add() appends for the id. */
void labels_make(struct labels *l, size_t n,
		 void (*add)(void *ctx, u32 id, struct buf *out), void *ctx);
const char *labels_get(const struct labels *l, u32 id);
void labels_release(struct labels *l);

#endif
