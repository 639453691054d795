/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/intake/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"

struct sequence_item {
	u64 time;
	size_t number; /* keeps the order of records with one time */
	const void *record;
	size_t len;
	void *copy; /* the record's own copy; NULL: the record is the caller's */
	bool can_wait;
};

void sequence_add(struct sequence *s, u64 time, const void *record, size_t len,
		  bool can_wait)
{
	s->item = xgrow(s->item, s->n, &s->capacity, sizeof(*s->item));
	s->item[s->n] = (struct sequence_item){
		time, s->n, record, len, NULL, can_wait,
	};
	s->n++;
}

static int compare(const void *a, const void *b)
{
	const struct sequence_item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void hold(struct sequence *s, struct sequence_item *item)
{
	if (!item->copy) {
		item->copy = xmalloc(item->len);
		memcpy(item->copy, item->record, item->len);
		item->record = item->copy;
	}
	item->number = s->n;
	s->item[s->n++] = *item;
}

void sequence_give(struct sequence *s, u64 settled,
		   void (*fn)(void *ctx, const void *record, size_t len),
		   void *ctx)
{
	size_t n = s->n;

	if (n)
		qsort(s->item, n, sizeof(*s->item), compare);
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct sequence_item item = s->item[i];

		if (item.can_wait && item.time > settled) {
			hold(s, &item);
			continue;
		}
		fn(ctx, item.record, item.len);
		free(item.copy);
	}
}

bool sequence_is_empty(const struct sequence *s)
{
	return !s->n;
}

void sequence_release(struct sequence *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->item[i].copy);
	free(s->item);
	*s = (struct sequence){ 0 };
}
