/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The profile: named stacks and their counts.  What outputs read.
 *
 * Two stacks whose frames have the same names are one.  Frames are outermost
 * first.
 */
#ifndef JPBPF_USER_PROFILE_PROFILE_H
#define JPBPF_USER_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct profile; /* opaque */

struct profile_stack {
	u64 count;
	size_t depth;
	const u32 *frame; /* string ids, outermost first */
};

struct profile *profile_new(void);
void profile_free(struct profile *p);
/* Id of a string.  So many bytes before and behind are no part of the name alone: in
 * "stats::optim (fit.R:12)", the package and the place.  Strings that are equal in all
 * of that have equal ids. */
u32 profile_name(struct profile *p, const char *text, u32 before, u32 behind);
void profile_parts(const struct profile *p, u32 id, u32 *before, u32 *behind);
/* Lives as long as the profile, as do the frames of profile_get(). */
const char *profile_text(const struct profile *p, u32 id);
void profile_add(struct profile *p, const u32 *frame, size_t depth, u64 count);
/* Only what is there already: the id, or the id of no string; was it added? */
#define PROFILE_NO_STRING (~0u)
u32 profile_find_name(const struct profile *p, const char *text, u32 before,
		      u32 behind);
bool profile_add_known(struct profile *p, const u32 *frame, size_t depth,
		       u64 count);
size_t profile_bytes(const struct profile *p); /* memory held */
/* Sort by the text of the frames, so that output does not depend on chance. */
void profile_sort(struct profile *p);
size_t profile_count(const struct profile *p);
struct profile_stack profile_get(const struct profile *p, size_t i);
u64 profile_total(const struct profile *p);
/* Microseconds that one sample stands for; 0 until it is set. */
void profile_set_interval(struct profile *p, u64 us);
u64 profile_interval(const struct profile *p);

#endif
