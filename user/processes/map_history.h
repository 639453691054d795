/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a process had mapped executable at which time, as the kernel reported it.  The
 * history also covers a process that ended before anyone could examine it.
 *
 * An event that is forgotten for lack of room is told apart from one that was never
 * reported (map_history_has_gap()).
 */
#ifndef JPBPF_USER_PROCESSES_MAP_HISTORY_H
#define JPBPF_USER_PROCESSES_MAP_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>
#include <jpbpf/unwind.h>

/* A file id that stands for no file. */
#define MAP_NO_FILE (~0u)

struct map_event {
	u64 time;
	bool exec; /* all earlier mappings are gone */
	struct unwind_mapping mapping;
};

/* All zeroes: empty. */
struct map_history {
	struct map_event *event; /* by time */
	size_t n, capacity;
	u64 forgotten; /* ns: events up to then may be forgotten; 0: none is */
};

void map_history_release(struct map_history *s);
/* Copy the events from the last exec that is not later than time (0: all of them) to an
 * empty history. */
void map_history_copy(struct map_history *s, const struct map_history *from,
		      u64 time);
/* Events may come out of order. */
void map_history_add(struct map_history *s, const struct map_event *e);
/* The mapping reported for the address at that time.  NULL: none was reported. */
const struct unwind_mapping *map_history_find(const struct map_history *s,
					      u64 time, u64 address);
/* Whether the mapping seen at the address between first and last was there at that time
 * too.  All times are ns. */
bool map_history_holds(const struct map_history *s, u64 time, u64 address,
		       u64 first, u64 last);
/* Whether events later than that time have been forgotten for lack of room. */
bool map_history_has_gap(const struct map_history *s, u64 time);
/* Events up to that time may not have been reported: forget all. */
void map_history_lose(struct map_history *s, u64 time);
/* Forget the events up to that time, because they are no longer needed. */
void map_history_settle(struct map_history *s, u64 time);

#endif
