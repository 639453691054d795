/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Events sorted by time.  A look-up goes back from its time to the first mapping
 * that covers the address, and ends at an exec.  That a mapping was removed is not
 * told; but no frame lies in one that was.
 */
#include "user/session/space.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"

#define MAX_EVENTS 4096 /* then the older half is forgotten */

struct space *space_new(void)
{
	struct space *s = xcalloc(1, sizeof(*s));

	s->users = 1;
	return s;
}

struct space *space_share(struct space *s)
{
	s->users++;
	return s;
}

struct space *space_copy(const struct space *from)
{
	struct space *s = space_new();

	for (size_t i = 0; i < from->n; i++)
		space_add(s, &from->event[i]);
	return s;
}

void space_release(struct space *s)
{
	if (!s || --s->users)
		return;
	free(s->event);
	free(s);
}

static void drop_first(struct space *s, size_t n)
{
	s->n -= n;
	memmove(s->event, s->event + n, s->n * sizeof(*s->event));
}

void space_add(struct space *s, const struct space_event *e)
{
	size_t at;

	if (s->n >= MAX_EVENTS)
		drop_first(s, MAX_EVENTS / 2);
	s->event = xgrow(s->event, s->n, &s->capacity, sizeof(*s->event));
	for (at = s->n; at && s->event[at - 1].time > e->time; at--)
		;
	memmove(&s->event[at + 1], &s->event[at],
		(s->n - at) * sizeof(*s->event));
	s->event[at] = *e;
	s->n++;
}

const struct unwind_mapping *space_find(const struct space *s, u64 time,
					u64 address)
{
	for (size_t i = s->n; i--;) {
		const struct space_event *e = &s->event[i];

		if (e->time > time)
			continue;
		if (e->exec)
			break;
		if (address >= e->mapping.start && address < e->mapping.end)
			return &e->mapping;
	}
	return NULL;
}

bool space_any(const struct space *s,
	       bool (*fn)(void *ctx, const struct unwind_mapping *m), void *ctx)
{
	for (size_t i = s->n; i--;) {
		if (s->event[i].exec)
			return false;
		if (fn(ctx, &s->event[i].mapping))
			return true;
	}
	return true;
}

void space_forget(struct space *s, u64 time)
{
	for (size_t i = s->n; i--;) {
		if (!s->event[i].exec || s->event[i].time > time)
			continue;
		drop_first(s, i);
		break;
	}
}
