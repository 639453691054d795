/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The events are sorted by time.  A look-up goes back from its time to the first
 * mapping that covers the address, and ends at an exec.
 *
 * The kernel does not report that a mapping was removed, only that another takes its
 * place.  That does no harm, because no frame lies in a removed mapping.  A program that
 * maps and unmaps the same part of a file all the time is one event.
 */
#include "user/processes/map_history.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"

#define FIRST_EVENTS 16
#define MAX_EVENTS   4096 /* of one: then the older half is forgotten */

/* Allocate room for so many more events.  Returns false when there is no memory. */
static bool grow(struct map_history *s, size_t by)
{
	if (!heap_fits(HEAP_PROCESSES, by * sizeof(*s->event)))
		return false;
	s->capacity += by;
	s->event = xreallocarray(s->event, s->capacity, sizeof(*s->event));
	return true;
}

void map_history_copy(struct map_history *s, const struct map_history *from,
		      u64 time)
{
	size_t first = SEARCH(from->event, from->n, time, time);

	while (first && !from->event[first - 1].exec)
		first--;
	first -= first > 0;
	s->forgotten = from->forgotten;
	if (first == from->n)
		return;
	if (!grow(s, from->n - first)) {
		s->forgotten = from->event[from->n - 1].time;
		return;
	}
	s->n = from->n - first;
	memcpy(s->event, from->event + first, s->n * sizeof(*s->event));
}

void map_history_release(struct map_history *s)
{
	free(s->event);
	*s = (struct map_history){ 0 };
}

static void drop_first(struct map_history *s, size_t n)
{
	s->n -= n;
	memmove(s->event, s->event + n, s->n * sizeof(*s->event));
}

/* Make room for one more event.  Returns false when there is none. */
static bool make_room(struct map_history *s)
{
	size_t by = s->capacity ? s->capacity : FIRST_EVENTS;

	if (s->n < s->capacity ||
	    (s->capacity + by <= MAX_EVENTS && grow(s, by)))
		return true;
	if (!s->n)
		return false;
	by = (s->n + 1) / 2;
	s->forgotten = s->event[by - 1].time;
	drop_first(s, by);
	return true;
}

/* Whether the event before place `at` says the same. */
static bool is_known(const struct map_history *s, size_t at,
		     const struct map_event *e)
{
	const struct map_event *last = at ? &s->event[at - 1] : NULL;

	return last && !last->exec && !e->exec &&
	       !memcmp(&last->mapping, &e->mapping, sizeof(e->mapping));
}

void map_history_add(struct map_history *s, const struct map_event *e)
{
	size_t at = SEARCH(s->event, s->n, time, e->time);

	if (is_known(s, at, e))
		return;
	if (!make_room(s)) {
		if (e->time > s->forgotten)
			s->forgotten = e->time;
		return;
	}
	/* Events between this one and the next kept one have been forgotten. */
	if (e->time <= s->forgotten)
		return;
	at = SEARCH(s->event, s->n, time, e->time);
	memmove(&s->event[at + 1], &s->event[at],
		(s->n - at) * sizeof(*s->event));
	s->event[at] = *e;
	s->n++;
}

static bool covers(const struct map_event *e, u64 address)
{
	return address >= e->mapping.start && address < e->mapping.end;
}

const struct unwind_mapping *map_history_find(const struct map_history *s,
					      u64 time, u64 address)
{
	for (size_t i = s->n; i--;) {
		const struct map_event *e = &s->event[i];

		if (e->time > time)
			continue;
		if (e->exec)
			break;
		if (covers(e, address))
			return &e->mapping;
	}
	return NULL;
}

bool map_history_holds(const struct map_history *s, u64 time, u64 address,
		       u64 first, u64 last)
{
	if (time < first)
		first = time;
	if (time > last)
		last = time;
	for (size_t i = s->n; i--;) {
		const struct map_event *e = &s->event[i];

		if (e->time <= first)
			break;
		if (e->time <= last && (e->exec || covers(e, address)))
			return false;
	}
	return true;
}

void map_history_lose(struct map_history *s, u64 time)
{
	s->n = 0;
	s->forgotten = time;
}

bool map_history_has_gap(const struct map_history *s, u64 time)
{
	return s->forgotten > time;
}

void map_history_settle(struct map_history *s, u64 time)
{
	if (!s->n)
		return;
	drop_first(s, SEARCH(s->event, s->n, time, time));
	s->capacity = s->n;
	s->event = xreallocarray(s->event, s->n, sizeof(*s->event));
}
