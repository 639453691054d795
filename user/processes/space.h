/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a process had mapped executable at which time, as the kernel told it: also
 * of a process that ended before anyone could look at it.
 *
 * How much all of this takes is limited.  What is forgotten for that is not taken for
 * something that was never told.
 */
#ifndef JPBPF_USER_PROCESSES_SPACE_H
#define JPBPF_USER_PROCESSES_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>
#include <jpbpf/unwind.h>

/* At which file id nothing is. */
#define SPACE_NO_FILE (~0u)

struct space_event {
	u64 time;
	bool exec; /* nothing of what was before is left */
	struct unwind_mapping mapping;
};

/* Shared by all programs that run in a process one after the other. */
struct space {
	struct space_event *event; /* by time */
	size_t n, capacity;
	size_t users;
	u64 forgotten; /* ns: nothing is known from the events up to then; 0: all is */
};

struct space *space_new(void); /* with one user */
struct space *space_share(struct space *s);
struct space *space_copy(const struct space *s);
void space_release(struct space *s); /* s may be NULL */
/* Events may come out of order. */
void space_add(struct space *s, const struct space_event *e);
/* The mapping that held the address at that time; NULL: none that was told of. */
const struct unwind_mapping *space_find(const struct space *s, u64 time,
					u64 address);
/* Does it hold at that time what was seen there between first and last? */
bool space_holds(const struct space *s, u64 time, u64 address, u64 first,
		 u64 last);
/* Does fn say so of any mapping that was made since the last exec? Also true when no exec
 * was told of. */
bool space_any(const struct space *s,
	       bool (*fn)(void *ctx, const struct unwind_mapping *m),
	       void *ctx);
/* Has anything been forgotten, for want of room, that was told after that time? */
bool space_has_gap(const struct space *s, u64 time);
/* Forget what was before the last exec before that time. */
void space_forget(struct space *s, u64 time);
/* All that was there by then is known otherwise.  s may be NULL. */
void space_settle(struct space *s, u64 time);
/* Is there little room left for all spaces together? */
bool space_crowded(void);

#endif
