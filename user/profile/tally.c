/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The counts are an array; a table of hashes has their numbers + 1, and 0 where it is
 * free.  What takes the time is waiting for memory, one sample after the other; some
 * samples are looked at together, so that their memory comes at the same time.
 */
#include "user/profile/tally.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"

#define FEWEST 64 /* places; a power of two */

/* The place of a key's count, or the free one where it belongs. */
static u32 *find(const struct tally *t, const struct tally_key *key, u64 hash)
{
	u32 *p;

	do
		p = &t->place[hash++ & (t->places - 1)];
	while (*p && memcmp(&t->count[*p - 1].of, key, sizeof(*key)) != 0);
	return p;
}

static void grow(struct tally *t)
{
	free(t->place);
	t->places = t->places ? 2 * t->places : FEWEST;
	t->place = xcalloc(t->places, sizeof(*t->place));
	for (size_t i = 0; i < t->n; i++) {
		const struct tally_key *key = &t->count[i].of;

		*find(t, key, intern_hash(key, sizeof(*key))) = i + 1;
	}
}

static u32 add(struct tally *t, const struct tally_count *one, u64 hash)
{
	u32 *place;

	if (t->n >= t->places / 2)
		grow(t);
	place = find(t, &one->of, hash);
	if (!*place) {
		t->count =
			xgrow(t->count, t->n, &t->capacity, sizeof(*t->count));
		t->count[t->n++] = (struct tally_count){ .of = one->of };
		*place = t->n;
	}
	t->count[*place - 1].sum.weight += one->sum.weight;
	t->count[*place - 1].sum.value += one->sum.value;
	return *place - 1;
}

void tally_add(struct tally *t, const struct tally_key *key,
	       const struct profile_sum *sum)
{
	u64 hash = intern_hash(key, sizeof(*key));

	if (t->places)
		__builtin_prefetch(&t->place[hash & (t->places - 1)]);
	t->hash[t->aheads] = hash;
	t->ahead[t->aheads++] = (struct tally_count){ *key, *sum };
	if (t->aheads == TALLY_AHEAD)
		tally_finish(t);
}

void tally_finish(struct tally *t)
{
	for (size_t i = 0; i < t->aheads && t->places; i++) {
		u32 n = t->place[t->hash[i] & (t->places - 1)];

		__builtin_prefetch(&t->count[n ? n - 1 : 0]);
	}
	for (size_t i = 0; i < t->aheads; i++)
		t->counted(t->ctx, add(t, &t->ahead[i], t->hash[i]));
	t->aheads = 0;
}

u32 *tally_order(const struct tally *t, size_t stacks)
{
	_cleanup_free_ u32 *at = xcalloc(stacks + 1, sizeof(*at));
	u32 *order = xcalloc(t->n, sizeof(*order));

	for (size_t i = 0; i < t->n; i++)
		at[t->count[i].of.stack + 1]++;
	for (size_t i = 1; i < stacks; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < t->n; i++)
		order[at[t->count[i].of.stack]++] = i;
	return order;
}

void tally_reset(struct tally *t)
{
	free(t->count);
	free(t->place);
	*t = (struct tally){ .counted = t->counted, .ctx = t->ctx };
}
