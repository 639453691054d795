/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A publication is over when the next one is there, some milliseconds later, and its
 * samples are read soon after: an entry is of no use after that.
 */
#include "user/session/stale.h"

#include <stdlib.h>

#include <uthash.h>

#include "user/lib/mem.h"

#define KEPT	4096 /* more than these, and the old ones go */
#define LATE_NS 60000000000ull

struct stale_entry {
	u32 serial;
	u64 time;
	UT_hash_handle hh;
};

static struct stale_entry *find(const struct stale *s, u32 serial)
{
	struct stale_entry *e;

	HASH_FIND(hh, s->entries, &serial, sizeof(serial), e);
	return e;
}

static void drop_old(struct stale *s, u64 now)
{
	struct stale_entry *e, *next;

	HASH_ITER (hh, s->entries, e, next) {
		if (now < LATE_NS || e->time > now - LATE_NS)
			continue;
		HASH_DEL(s->entries, e);
		free(e);
	}
}

void stale_note(struct stale *s, u32 serial, u64 time)
{
	struct stale_entry *e = find(s, serial);

	if (e) {
		if (time < e->time)
			e->time = time;
		return;
	}
	if (HASH_COUNT(s->entries) >= KEPT)
		drop_old(s, time);
	e = xcalloc(1, sizeof(*e));
	e->serial = serial;
	e->time = time;
	HASH_ADD(hh, s->entries, serial, sizeof(e->serial), e);
}

bool stale_is(const struct stale *s, u32 serial, u64 time)
{
	const struct stale_entry *e = s->entries ? find(s, serial) : NULL;

	return e && time >= e->time;
}

size_t stale_count(const struct stale *s)
{
	return HASH_COUNT(s->entries);
}

void stale_release(struct stale *s)
{
	struct stale_entry *e, *next;

	HASH_ITER (hh, s->entries, e, next) {
		HASH_DEL(s->entries, e);
		free(e);
	}
}
