/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The stacks of a profile, put into a tree under names that a view gives them. */
#ifndef JPBPF_USER_VIEW_SIDE_H
#define JPBPF_USER_VIEW_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct buf;
struct intern;
struct profile;
struct tree;

struct side {
	struct profile *profile;
	u32 event;
	bool counts; /* the number of samples, else profile_value() */
	/* Name ids by ids of the profile.  A stack has them in this order; NULL: it has
	 * none of these.  With events, stacks of all events are put into the tree. */
	u32 *events, *tasks, *frames;
	u64 total, samples; /* the sums of what side_add() has added */
};

/* The ids of n names that name() appends, interned. */
u32 *side_names(struct intern *names, const struct profile *p, size_t n,
		void (*name)(const struct profile *p, u32 id, unsigned how,
			     struct buf *out),
		unsigned how);
/* The event of that name; their number: there is none. */
u32 side_event(const struct profile *p, const char *name);
/* A stack's id in the tree is that of the profile. */
void side_add(struct side *s, struct tree *t, u32 side);
/* Free the names. */
void side_release(struct side *s);

#endif
