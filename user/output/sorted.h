/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The stacks of a profile by the texts of their frames, so that output does not depend
 * on chance; what reads the same is one. */
#ifndef JPBPF_USER_OUTPUT_SORTED_H
#define JPBPF_USER_OUTPUT_SORTED_H

#include "user/lib/buf.h"
#include "user/profile/profile.h"

/* Texts by id, of frames mostly. */
struct labels {
	struct buf bytes;
	size_t *at; /* of each; the next one begins behind its NUL */
};

struct sorted {
	struct profile *profile;
	struct labels text; /* by frame id */
	struct sorted_stack {
		u32 id; /* of one of those that read so */
		struct profile_sum sum;
	} * stack;
	size_t n;
};

void sorted_make(struct sorted *s, struct profile *p);
void sorted_release(struct sorted *s);
struct profile_stack sorted_get(const struct sorted *s, size_t i);
const char *sorted_command(const struct sorted *s,
			   const struct profile_stack *stack);

/* What add() appends for each of n ids. */
void labels_make(struct labels *l, size_t n,
		 void (*add)(void *ctx, u32 id, struct buf *out), void *ctx);
const char *labels_get(const struct labels *l, u32 id);
void labels_release(struct labels *l);

#endif
