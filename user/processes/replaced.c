/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A publication is over when the next one is there, some milliseconds later, and its
 * samples are read soon after: an entry is of no use after that.
 */
#include "user/processes/replaced.h"

#include <stdlib.h>

#include <uthash.h>

#include "user/lib/mem.h"

#define KEPT	4096 /* more than these, and the old ones go */
#define LATE_NS 60000000000ull

#define PLACES 16 /* of one publication; the last one has all further */

/* It was replaced then. */
struct place {
	u64 time;
	struct area area;
};

struct replaced_entry {
	u32 serial;
	u64 time;  /* of the first */
	u64 noted; /* then it was last told of */
	struct place place[PLACES];
	u32 places;
	UT_hash_handle hh;
};

static struct replaced_entry *find(const struct replaced *s, u32 serial)
{
	struct replaced_entry *e;

	HASH_FIND(hh, s->entries, &serial, sizeof(serial), e);
	return e;
}

/* Those that were told of last come last. */
static void drop_old(struct replaced *s, u64 now)
{
	struct replaced_entry *e, *next;

	HASH_ITER (hh, s->entries, e, next) {
		if (now < LATE_NS || e->noted > now - LATE_NS)
			break;
		HASH_DEL(s->entries, e);
		free(e);
	}
}

static bool is_within(const struct area *a, const struct area *of)
{
	return a->start >= of->start && a->end <= of->end;
}

static void widen(struct place *p, u64 time, const struct area *area)
{
	if (time < p->time)
		p->time = time;
	if (area->start < p->area.start)
		p->area.start = area->start;
	if (area->end > p->area.end)
		p->area.end = area->end;
}

static void add(struct replaced_entry *e, u64 time, const struct area *area)
{
	if (time < e->time)
		e->time = time;
	for (u32 i = 0; i < e->places; i++)
		if (e->place[i].time <= time &&
		    is_within(area, &e->place[i].area))
			return;
	if (e->places < PLACES)
		e->place[e->places++] = (struct place){ time, *area };
	else
		widen(&e->place[PLACES - 1], time, area);
}

void replaced_note(struct replaced *s, u32 serial, u64 now, u64 time,
		   const struct area *area)
{
	struct replaced_entry *e = find(s, serial);

	if (e) {
		HASH_DEL(s->entries, e);
	} else {
		if (HASH_COUNT(s->entries) >= KEPT)
			drop_old(s, now);
		e = xcalloc(1, sizeof(*e));
		e->serial = serial;
		e->time = time;
	}
	e->noted = now;
	add(e, time, area);
	HASH_ADD(hh, s->entries, serial, sizeof(e->serial), e);
}

void replaced_follow(struct replaced *s, u32 serial, u32 next, u64 now,
		     const struct area *lacks)
{
	const struct replaced_entry *e = s->entries ? find(s, serial) : NULL;

	for (u32 i = 0; e && i < e->places; i++)
		if (!is_within(&e->place[i].area, lacks))
			replaced_note(s, next, now, e->place[i].time,
				      &e->place[i].area);
}

bool replaced_is(const struct replaced *s, u32 serial, u64 time)
{
	const struct replaced_entry *e = s->entries ? find(s, serial) : NULL;

	return e && time >= e->time;
}

size_t replaced_count(const struct replaced *s)
{
	return HASH_COUNT(s->entries);
}

void replaced_release(struct replaced *s)
{
	struct replaced_entry *e, *next;

	HASH_ITER (hh, s->entries, e, next) {
		HASH_DEL(s->entries, e);
		free(e);
	}
}
