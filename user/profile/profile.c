/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Texts, frames and stacks are interned as their bytes (user/lib/intern.h).  A stack's
 * two numbers are its samples and its value.
 *
 * Targets choose the names of their commands, so only some are added to a full profile; the
 * tasks of others become one. */
#include "user/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/heap.h"
#include "user/lib/mem.h"

#define NO_ROOM "no room for so many stacks (see --max-memory)"
/* The command of tasks without room; longer than any command. */
#define OTHERS	   "other command names"
#define MORE_TASKS 1024 /* that a full profile takes */

struct profile *profile_new(void)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->texts = intern_new_texts();
	p->frames = intern_new();
	p->tasks = intern_new();
	p->stacks = intern_new();
	profile_add_task(p, &(struct profile_task){ 0 });
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	intern_free(p->texts);
	intern_free(p->frames);
	intern_free(p->tasks);
	intern_free(p->stacks);
	free(p->sample);
	free(p->marks.at);
	free(p->losses.at);
	free(p->call);
	free(p);
}

u32 profile_add_event(struct profile *p, const char *name, const char *unit,
		      u64 interval)
{
	u32 text = intern_text(p->texts, name), i = 0;

	while (i < p->events && p->event[i].name != text)
		i++;
	if (i == PROFILE_EVENTS)
		return i - 1;
	if (i == p->events)
		p->event[p->events++] = (struct profile_event){
			text, intern_text(p->texts, unit), interval
		};
	return i;
}

/* The id of one thing. */
static u32 id_of(struct intern *in, const void *what, size_t len, bool add)
{
	return intern_id(in, &(struct intern_key){ what, len, NULL, 0 }, add);
}

static size_t bytes_of(const struct profile *p)
{
	return intern_bytes(p->texts) + intern_bytes(p->frames) +
	       intern_bytes(p->tasks) + intern_bytes(p->stacks);
}

static bool has_room(const struct profile *p)
{
	return !p->max_bytes ||
	       (bytes_of(p) < p->max_bytes && heap_fits(HEAP_STACKS, 0));
}

static u32 count(struct profile *p, const struct profile_key *key,
		 const u32 *frame, size_t depth, const struct profile_sum *sum,
		 bool add)
{
	const struct intern_key bytes = { key, sizeof(*key), frame,
					  depth * sizeof(*frame) };
	u32 id = intern_id(p->stacks, &bytes, add);
	u64 *of;

	if (id == PROFILE_NONE)
		return id;
	of = intern_numbers(p->stacks, id);
	of[0] += sum->weight;
	of[1] += sum->value;
	return id;
}

static u32 refuse(struct profile *p, const struct profile_key *key,
		  const struct profile_sum *sum)
{
	const struct frame no_room = {
		.type = FRAME_IS_MARKER,
		.flags = FRAME_CUT,
		.name = intern_text(p->texts, NO_ROOM),
	};
	u32 id = id_of(p->frames, &no_room, sizeof(no_room), true);

	p->refused += sum->weight;
	return count(p, key, &id, 1, sum, true);
}

u32 profile_add(struct profile *p, const struct profile_key *key,
		const u32 *frame, size_t depth, const struct profile_sum *sum)
{
	bool fits = has_room(p);
	u32 id;

	for (size_t i = 0; i < depth; i++)
		fits &= frame[i] != PROFILE_NONE;
	id = count(p, key, frame, depth, sum, fits);
	return id == PROFILE_NONE ? refuse(p, key, sum) : id;
}

u32 profile_add_frame(struct profile *p, const struct frame *f)
{
	return id_of(p->frames, f, sizeof(*f), has_room(p));
}

static bool take_text(struct profile *p, struct intern *texts, u32 *id)
{
	u64 *known = intern_numbers(texts, *id);
	const char *text;
	size_t len;
	u32 found;

	if (!*known) {
		text = intern_get(texts, *id, &len);
		found = id_of(p->texts, text, len, has_room(p));
		if (found == PROFILE_NONE)
			return false;
		*known = found + 1ull;
	}
	*id = *known - 1;
	return true;
}

u32 profile_take_frame(struct profile *p, struct intern *texts, struct frame f)
{
	u32 *const text[] = { &f.module, &f.space, &f.name, &f.file,
			      &f.expression };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (*text[i] && !take_text(p, texts, text[i]))
			return PROFILE_NONE;
	return profile_add_frame(p, &f);
}

u32 profile_add_text(struct profile *p, const char *text)
{
	u32 id = id_of(p->texts, text, strlen(text),
		       has_room(p) || p->more_tasks < MORE_TASKS);

	return id == PROFILE_NONE ? intern_text(p->texts, OTHERS) : id;
}

u32 profile_add_task(struct profile *p, const struct profile_task *t)
{
	bool fits = has_room(p);
	size_t known = intern_count(p->tasks);
	u32 id = id_of(p->tasks, t, sizeof(*t),
		       fits || p->more_tasks < MORE_TASKS);

	if (id == PROFILE_NONE)
		return profile_add_command(p, OTHERS);
	p->more_tasks += !fits && intern_count(p->tasks) > known;
	return id;
}

u32 profile_add_command(struct profile *p, const char *comm)
{
	const struct profile_task task = {
		.comm = intern_text(p->texts, comm),
	};

	return id_of(p->tasks, &task, sizeof(task), true);
}

void profile_add_sample(struct profile *p, const struct profile_sample *s)
{
	p->sample =
		xgrow(p->sample, p->samples, &p->capacity, sizeof(*p->sample));
	p->sample[p->samples++] = *s;
}

static int by_time(const void *a, const void *b)
{
	const struct profile_sample *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

void profile_sort_samples(struct profile *p)
{
	size_t i = 1;

	while (i < p->samples && p->sample[i - 1].time <= p->sample[i].time)
		i++;
	if (i < p->samples)
		qsort(p->sample, p->samples, sizeof(*p->sample), by_time);
}

void profile_add_note(struct profile_notes *notes, const struct profile_note *n)
{
	notes->at = xgrow(notes->at, notes->n, &notes->capacity,
			  sizeof(*notes->at));
	notes->at[notes->n++] = *n;
}

size_t profile_bytes(const struct profile *p)
{
	return bytes_of(p) + p->capacity * sizeof(*p->sample);
}

const char *profile_text(const struct profile *p, u32 id)
{
	return intern_get(p->texts, id, NULL);
}

const struct frame *profile_frame(const struct profile *p, u32 id)
{
	return intern_get(p->frames, id, NULL);
}

const struct profile_task *profile_task(const struct profile *p, u32 id)
{
	return intern_get(p->tasks, id, NULL);
}

struct profile_stack profile_stack(struct profile *p, u32 i)
{
	size_t len;
	const struct profile_key *key = intern_get(p->stacks, i, &len);
	const u64 *sum = intern_numbers(p->stacks, i);

	return (struct profile_stack){
		.key = key,
		.sum = { sum[0], sum[1] },
		.depth = (len - sizeof(*key)) / sizeof(u32),
		.frame = (const u32 *)(key + 1),
	};
}

const char *profile_module(const struct profile *p, u32 id,
			   enum profile_module_part part)
{
	size_t len, at = 0;
	const char *text = intern_get(p->texts, id, &len);

	while (part-- && at < len)
		at += strlen(text + at) + 1;
	return at < len ? text + at : "";
}

u64 profile_value(const struct profile *p, u32 event,
		  const struct profile_sum *sum)
{
	const struct profile_event *e = &p->event[event];

	return e->interval && !strcmp(profile_text(p, e->unit), "nanoseconds")
		       ? sum->weight * e->interval
		       : sum->value;
}
