/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/intake/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/kernel/events.h"

struct sequence_item {
	struct mapwatch_event event;
	size_t number; /* those of one time stay in their order */
	char *path;    /* a copy; NULL: the event's is the caller's */
};

void sequence_add(struct sequence *s, const struct mapwatch_event *e)
{
	s->item = xgrow(s->item, s->n, &s->capacity, sizeof(*s->item));
	s->item[s->n] = (struct sequence_item){ .event = *e, .number = s->n };
	s->n++;
}

static int compare(const void *a, const void *b)
{
	const struct sequence_item *x = a, *y = b;

	if (x->event.time != y->event.time)
		return x->event.time < y->event.time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

void sequence_sort(struct sequence *s)
{
	if (s->n)
		qsort(s->item, s->n, sizeof(*s->item), compare);
}

void sequence_give(struct sequence *s, u64 time,
		   void (*fn)(void *ctx, const struct mapwatch_event *e),
		   void *ctx)
{
	for (; s->given < s->n && s->item[s->given].event.time <= time;
	     s->given++) {
		fn(ctx, &s->item[s->given].event);
		free(s->item[s->given].path);
	}
}

void sequence_hold(struct sequence *s)
{
	size_t n = 0;

	for (size_t i = s->given; i < s->n; i++) {
		struct sequence_item *item = &s->item[n];

		*item = s->item[i];
		item->number = n++;
		if (!item->path && item->event.map.path)
			item->path = xstrdup(item->event.map.path);
		item->event.map.path = item->path;
	}
	s->n = n;
	s->given = 0;
}

bool sequence_is_empty(const struct sequence *s)
{
	return s->given == s->n;
}

void sequence_release(struct sequence *s)
{
	for (size_t i = s->given; i < s->n; i++)
		free(s->item[i].path);
	free(s->item);
	*s = (struct sequence){ 0 };
}
