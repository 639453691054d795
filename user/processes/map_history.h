/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a process had mapped executable at which time, as the kernel told it: also
 * of a process that ended before anyone could look at it.
 *
 * How much all of this takes is limited.  What is forgotten for that is not taken for
 * something that was never told.
 */
#ifndef JPBPF_USER_PROCESSES_MAP_HISTORY_H
#define JPBPF_USER_PROCESSES_MAP_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>
#include <jpbpf/unwind.h>

/* At which file id nothing is. */
#define MAP_NO_FILE (~0u)

struct map_event {
	u64 time;
	bool exec; /* nothing of what was before is left */
	struct unwind_mapping mapping;
};

/* Shared by all programs that run in a process one after the other. */
struct map_history {
	struct map_event *event; /* by time */
	size_t n, capacity;
	size_t users;
	u64 forgotten; /* ns: nothing is known from the events up to then; 0: all is */
};

struct map_history *map_history_new(void); /* with one user */
struct map_history *map_history_share(struct map_history *s);
struct map_history *map_history_copy(const struct map_history *s);
void map_history_release(struct map_history *s); /* s may be NULL */
/* Events may come out of order. */
void map_history_add(struct map_history *s, const struct map_event *e);
/* The mapping that held the address at that time; NULL: none that was told of. */
const struct unwind_mapping *map_history_find(const struct map_history *s,
					      u64 time, u64 address);
/* Does it hold at that time what was seen there between first and last? */
bool map_history_holds(const struct map_history *s, u64 time, u64 address,
		       u64 first, u64 last);
/* Does fn say so of any mapping that was made since the last exec? Also true when no exec
 * was told of. */
bool map_history_any(const struct map_history *s,
		     bool (*fn)(void *ctx, const struct unwind_mapping *m),
		     void *ctx);
/* Has anything been forgotten, for want of room, that was told after that time? */
bool map_history_has_gap(const struct map_history *s, u64 time);
/* Forget what was before the last exec before that time. */
void map_history_forget(struct map_history *s, u64 time);
/* All that was there by then is known otherwise.  s may be NULL. */
void map_history_settle(struct map_history *s, u64 time);
/* Is there little room left for all spaces together? */
bool map_history_crowded(void);

#endif
