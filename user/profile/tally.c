/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The count of a stack's last sample is mostly that of its next one, and found without a
 * search.  What takes the time then is waiting for memory, one sample after the other;
 * some samples are looked at together, so that their memory comes at the same time.
 */
#include "user/profile/tally.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"

static u32 find(struct tally *t, const struct tally_key *key)
{
	const struct intern_key bytes = { key, sizeof(*key), NULL, 0 };
	u32 id;

	if (!t->keys)
		t->keys = intern_new();
	id = intern_id(t->keys, &bytes, true);
	if (id < t->n)
		return id;
	t->count = xgrow(t->count, t->n, &t->capacity, sizeof(*t->count));
	t->count[t->n++] = (struct tally_count){ .of = *key };
	return id;
}

/* The place of the stack in t->last. */
static u32 *last_of(struct tally *t, u32 stack)
{
	size_t had = t->lasts;

	if (stack >= had) {
		t->lasts = 2 * (size_t)stack + 64;
		t->last = xreallocarray(t->last, t->lasts, sizeof(*t->last));
		memset(t->last + had, 0, (t->lasts - had) * sizeof(*t->last));
	}
	return &t->last[stack];
}

static u32 add(struct tally *t, const struct tally_count *one)
{
	u32 *id = last_of(t, one->of.stack);

	if (*id >= t->n ||
	    memcmp(&t->count[*id].of, &one->of, sizeof(one->of)) != 0)
		*id = find(t, &one->of);
	t->count[*id].sum.weight += one->sum.weight;
	t->count[*id].sum.value += one->sum.value;
	return *id;
}

void tally_add(struct tally *t, const struct tally_key *key,
	       const struct profile_sum *sum)
{
	__builtin_prefetch(last_of(t, key->stack));
	t->ahead[t->aheads++] = (struct tally_count){ *key, *sum };
	if (t->aheads == TALLY_AHEAD)
		tally_finish(t);
}

void tally_finish(struct tally *t)
{
	for (size_t i = 0; i < t->aheads; i++)
		__builtin_prefetch(
			&t->count[*last_of(t, t->ahead[i].of.stack)]);
	for (size_t i = 0; i < t->aheads; i++)
		t->counted(t->ctx, add(t, &t->ahead[i]));
	t->aheads = 0;
}

void tally_reset(struct tally *t)
{
	intern_free(t->keys);
	free(t->count);
	free(t->last);
	*t = (struct tally){ .counted = t->counted, .ctx = t->ctx };
}
