/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Samples are dealt out to the threads one after the other, so that the order of time
 * stays. */
#include "user/output/samples.h"

#include <stdlib.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/text.h"

bool samples_fill(struct profile *p)
{
	bool had = p->samples;

	for (u32 i = 0; !had && i < intern_count(p->stacks); i++) {
		const struct profile_sum sum = profile_stack(p, i).sum;

		profile_add_sample(
			p, &(struct profile_sample){ .weight = sum.weight,
						     .value = sum.value,
						     .stack = i });
	}
	return had;
}

u64 samples_value(const struct profile *p, u32 event,
		  const struct profile_sample *s)
{
	const struct profile_sum sum = { s->weight, s->value };

	return profile_value(p, event, &sum);
}

void samples_name(const struct profile *p, const struct samples_thread *t,
		  struct buf *out)
{
	text_name(profile_text(p, profile_task(p, t->key.task)->comm), out);
	if (p->events > 1)
		buf_addf(out, " (%s)",
			 profile_text(p, p->event[t->key.event].name));
}

static int compare(const void *a, const void *b, void *profile)
{
	const struct samples_thread *x = a, *y = b;
	const struct profile_task *i = profile_task(profile, x->key.task);
	const struct profile_task *j = profile_task(profile, y->key.task);
	bool main_x = i->pid == i->tid, main_y = j->pid == j->tid;

	if (x->key.event != y->key.event)
		return x->key.event < y->key.event ? -1 : 1;
	if (main_x != main_y)
		return main_x ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->key.task < y->key.task ? -1 : x->key.task > y->key.task;
}

static u32 thread_of(struct intern *keys, struct profile *p, u32 stack)
{
	const struct intern_key key = { profile_stack(p, stack).key,
					sizeof(struct profile_key), NULL, 0 };

	return intern_id(keys, &key, true);
}

/* Threads in the order of first sight, with their numbers of samples. */
static void count(struct samples *s, struct profile *p, struct intern *keys)
{
	struct profile_sample *at = s->all;
	size_t i;

	for (i = 0; i < p->samples; i++)
		intern_numbers(keys,
			       thread_of(keys, p, p->sample[i].stack))[0]++;
	s->n = i ? intern_count(keys) : 1;
	s->thread = xcalloc(s->n, sizeof(*s->thread));
	for (i = 0; i < intern_count(keys); i++) {
		s->thread[i].key =
			*(struct profile_key *)intern_get(keys, i, NULL);
		s->thread[i].at = at;
		at += intern_numbers(keys, i)[0];
	}
}

void samples_make(struct samples *s, struct profile *p)
{
	struct intern *keys = intern_new();

	s->all = xcalloc(p->samples + 1, sizeof(*s->all));
	count(s, p, keys);
	for (size_t i = 0; i < p->samples; i++) {
		const struct profile_sample *from = &p->sample[i];
		struct samples_thread *t =
			&s->thread[thread_of(keys, p, from->stack)];

		t->at[t->n++] = *from;
		t->weight += from->weight;
	}
	intern_free(keys);
	qsort_r(s->thread, s->n, sizeof(*s->thread), compare, p);
}

void samples_release(struct samples *s)
{
	free(s->all);
	free(s->thread);
}
