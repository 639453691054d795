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

u64 samples_value(struct profile *p, const struct profile_sample *s)
{
	const struct profile_sum sum = { s->weight, s->value };

	return profile_value(p, profile_stack(p, s->stack).key->event, &sum);
}

void samples_name(const struct profile *p, const struct samples_thread *t,
		  struct buf *out)
{
	text_name(profile_text(p, profile_task(p, t->key.task)->comm), out);
	if (p->events > 1)
		buf_addf(out, " (%s)",
			 profile_text(p, p->event[t->key.event].name));
}

/* Threads without samples come last. */
static int compare(const void *a, const void *b, void *profile)
{
	const struct samples_thread *x = a, *y = b;
	const struct profile_task *i = profile_task(profile, x->key.task);
	const struct profile_task *j = profile_task(profile, y->key.task);
	bool main_x = i->pid == i->tid, main_y = j->pid == j->tid;

	if (!x->n != !y->n)
		return x->n ? -1 : 1;
	if (x->key.event != y->key.event)
		return x->key.event < y->key.event ? -1 : 1;
	if (main_x != main_y)
		return main_x ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->key.task < y->key.task ? -1 : x->key.task > y->key.task;
}

static struct samples_thread *thread_of(const struct samples *s,
					struct profile *p, size_t sample)
{
	const struct profile_key *key =
		profile_stack(p, p->sample[sample].stack).key;

	return &s->thread[key->event * intern_count(p->tasks) + key->task];
}

void samples_make(struct samples *s, struct profile *p)
{
	size_t tasks = intern_count(p->tasks);
	size_t n = tasks * (p->events ? p->events : 1), at = 0, i;

	s->thread = xcalloc(n, sizeof(*s->thread));
	s->all = xcalloc(p->samples + 1, sizeof(*s->all));
	for (i = 0; i < p->samples; i++)
		thread_of(s, p, i)->n++;
	for (i = 0; i < n; i++) {
		struct samples_thread *t = &s->thread[i];

		t->key = (struct profile_key){ i % tasks, i / tasks };
		t->at = s->all + at;
		at += t->n;
		t->n = 0;
	}
	for (i = 0; i < p->samples; i++) {
		struct samples_thread *t = thread_of(s, p, i);

		t->at[t->n++] = p->sample[i];
		t->weight += p->sample[i].weight;
	}
	qsort_r(s->thread, n, sizeof(*s->thread), compare, p);
	for (s->n = 1; s->n < n && s->thread[s->n].n;)
		s->n++;
}

void samples_release(struct samples *s)
{
	free(s->all);
	free(s->thread);
}
