/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The stacks of a profile, sorted by command and by the texts of their frames, so that
 * the same profile always gives the same output.  Stacks that read the same are
 * merged. */
#ifndef JPBPF_USER_OUTPUT_SORTED_H
#define JPBPF_USER_OUTPUT_SORTED_H

#include "user/lib/buf.h"
#include "user/profile/profile.h"

struct sorted {
	struct profile *profile;
	struct intern *texts;
	u32 *text; /* the id in texts of each frame id */
	struct sorted_stack {
		u32 id; /* any one of the profile's stacks that read so */
		struct profile_sum sum;
	} * stack;
	size_t n;
};

void sorted_make(struct sorted *s, struct profile *p);
void sorted_release(struct sorted *s);
struct profile_stack sorted_get(const struct sorted *s, size_t i);

/* The text of a frame id. */
const char *sorted_text(const struct sorted *s, u32 frame);

#endif
