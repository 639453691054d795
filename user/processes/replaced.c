/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The next publication follows some milliseconds later, and the samples of the earlier
 * one are read soon after.  An entry is of no use after that.
 */
#include "user/processes/replaced.h"

#include <stdlib.h>

#include <uthash.h>

#include "user/lib/mem.h"

#define KEPT	4096 /* with more entries old ones are dropped */
#define LATE_NS 60000000000ull

struct replaced_entry {
	u32 serial;
	u64 time;  /* ns: of the first replacement */
	u64 noted; /* ns: of the last report */
	UT_hash_handle hh;
};

static struct replaced_entry *find(const struct replaced *s, u32 serial)
{
	struct replaced_entry *e;

	HASH_FIND(hh, s->entries, &serial, sizeof(serial), e);
	return e;
}

/* The entries are in the order of their last reports. */
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

void replaced_note(struct replaced *s, u32 serial, u64 time)
{
	struct replaced_entry *e = find(s, serial);

	if (e) {
		HASH_DEL(s->entries, e);
	} else {
		if (HASH_COUNT(s->entries) >= KEPT)
			drop_old(s, time);
		e = xcalloc(1, sizeof(*e));
		e->serial = serial;
		e->time = time;
	}
	e->noted = time;
	if (time < e->time)
		e->time = time;
	HASH_ADD(hh, s->entries, serial, sizeof(e->serial), e);
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
