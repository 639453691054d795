/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/intake/sequence.h"

#include <stdlib.h>

#include "user/lib/mem.h"

struct sequence_item {
	u64 time;
	size_t number; /* keeps the order of records with one time */
	void *record;
	size_t len;
	bool can_wait;
};

void sequence_add(struct sequence *s, u64 time, void *record, size_t len,
		  bool can_wait)
{
	s->item = xgrow(s->item, s->n, &s->capacity, sizeof(*s->item));
	s->item[s->n] =
		(struct sequence_item){ time, s->n, record, len, can_wait };
	s->n++;
}

void sequence_move(struct sequence *s, struct sequence *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct sequence_item *f = &from->item[i];

		sequence_add(s, f->time, f->record, f->len, f->can_wait);
	}
	free(from->item);
	*from = (struct sequence){ 0 };
}

static int compare(const void *a, const void *b)
{
	const struct sequence_item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

void sequence_give(struct sequence *s, u64 settled,
		   void (*fn)(void *ctx, void *record, size_t len), void *ctx)
{
	size_t n = s->n;

	if (n)
		qsort(s->item, n, sizeof(*s->item), compare);
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct sequence_item item = s->item[i];

		if (item.can_wait && item.time > settled)
			sequence_add(s, item.time, item.record, item.len, true);
		else
			fn(ctx, item.record, item.len);
	}
}

void sequence_release(struct sequence *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->item[i].record);
	free(s->item);
	*s = (struct sequence){ 0 };
}
