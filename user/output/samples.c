/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Threads are counted by their stacks; then the samples are dealt out to them, so that
 * the order of time stays. */
#include "user/output/samples.h"

#include <stdlib.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/text.h"

struct profile_sample *samples_list(struct profile *p, bool times, size_t *n)
{
	struct profile_sample *made;

	*n = p->samples;
	if (times && p->samples)
		return p->sample;
	*n = intern_count(p->stacks);
	made = xcalloc(*n + 1, sizeof(*made));
	for (size_t i = 0; i < *n; i++) {
		const struct profile_sum sum = profile_stack(p, i).sum;

		made[i] = (struct profile_sample){ .weight = sum.weight,
						   .value = sum.value,
						   .stack = i };
	}
	return made;
}

u64 samples_value(const struct profile *p, u32 event,
		  const struct profile_sample *s)
{
	return profile_value(p, event,
			     &(struct profile_sum){ s->weight, s->value });
}

void samples_name(const struct profile *p, const struct samples_thread *t,
		  struct buf *out)
{
	text_name(profile_text(p, profile_task(p, t->task)->comm), out);
	if (p->events > 1) {
		buf_adds(out, " (");
		text_name(profile_text(p, p->event[t->event].name), out);
		buf_addc(out, ')');
	}
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct samples_thread *x = a, *y = b;
	const struct profile_task *i = profile_task(ctx, x->task);
	const struct profile_task *j = profile_task(ctx, y->task);

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->process != y->process)
		return x->process > y->process ? -1 : 1;
	if (i->pid != j->pid)
		return i->pid < j->pid ? -1 : 1;
	if ((i->tid == i->pid) != (j->tid == j->pid))
		return i->tid == i->pid ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* Add weight to what has these two numbers; 0 only finds it. */
static u64 *count(struct intern *of, u32 first, u32 event, u64 weight)
{
	const u32 key[] = { first, event };
	u64 *sum = intern_numbers(
		of, intern_id(of,
			      &(struct intern_key){ key, sizeof(key), NULL, 0 },
			      true));

	sum[0] += weight;
	return sum;
}

/* A process's number; a task of none is alone. */
static u32 process_of(const struct profile *p, u32 task)
{
	u32 pid = profile_task(p, task)->pid;

	return pid ? pid : ~task;
}

static void list_threads(struct samples *s, struct profile *p,
			 struct intern *threads)
{
	struct intern *processes = intern_new();

	for (size_t i = 0; i < s->threads; i++) {
		const u32 *key = intern_get(threads, i, NULL);

		s->thread[i] = (struct samples_thread){
			.task = key[0],
			.event = key[1],
			.weight = intern_numbers(threads, i)[0],
		};
		count(processes, process_of(p, key[0]), key[1],
		      s->thread[i].weight);
	}
	for (size_t i = 0; i < s->threads; i++) {
		struct samples_thread *t = &s->thread[i];

		t->process = *count(processes, process_of(p, t->task),
				    t->event, 0);
	}
	intern_free(processes);
	qsort_r(s->thread, s->threads, sizeof(*s->thread), compare, p);
}

/* The thread's place, from the second number of its key. */
static struct samples_thread *thread_of(struct samples *s, struct profile *p,
					struct intern *threads, u32 stack)
{
	const struct profile_key *key = profile_stack(p, stack).key;

	return &s->thread[count(threads, key->task, key->event, 0)[1]];
}

static void deal(struct samples *s, struct profile *p, struct intern *threads,
		 bool times)
{
	struct profile_sample *list = samples_list(p, times, &s->n), *next;

	s->timed = list == p->sample;
	s->at = next = xcalloc(s->n + 1, sizeof(*s->at));
	for (size_t i = 0; i < s->n; i++)
		thread_of(s, p, threads, list[i].stack)->n++;
	for (size_t i = 0; i < s->threads; i++) {
		s->thread[i].at = next;
		next += s->thread[i].n;
		s->thread[i].n = 0;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct samples_thread *t =
			thread_of(s, p, threads, list[i].stack);

		s->at[t->at - s->at + t->n++] = list[i];
	}
	s->origin = p->start || !s->timed || !s->n ? p->start : list->time;
	if (!s->timed)
		free(list);
}

void samples_make(struct samples *s, struct profile *p, bool times)
{
	struct intern *threads = intern_new();

	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack stack = profile_stack(p, i);

		count(threads, stack.key->task, stack.key->event,
		      stack.sum.weight);
	}
	if (!intern_count(threads))
		count(threads, 0, 0, 0);
	*s = (struct samples){ .threads = intern_count(threads) };
	s->thread = xcalloc(s->threads, sizeof(*s->thread));
	list_threads(s, p, threads);
	for (size_t i = 0; i < s->threads; i++)
		count(threads, s->thread[i].task, s->thread[i].event, 0)[1] = i;
	deal(s, p, threads, times);
	intern_free(threads);
}

void samples_release(struct samples *s)
{
	free(s->at);
	free(s->thread);
}
