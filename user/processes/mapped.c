/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What processes map, as the kernel's own records and the kernel side tell it.
 *
 * Of a mapping where something else was the kernel side tells first (NOTICE_GONE), and
 * walks by that no more.  What it does not see, a mapping at an address that the process
 * itself has given, comes by the records: samples that were walked by what was there
 * before are cut (replaced.h).
 */
#include <unistd.h>

#include "user/kernel/events.h"
#include "user/lib/clock.h"
#include "user/lib/search.h"
#include "user/processes/process.h"
#include "user/processes/map_history.h"
#include "user/processes/survey.h"
#include "user/processes/tracker.h"

#define LOST_PAUSE 100000000ull /* ns: it goes on, mostly */

/* One that is not known yet may become one of ours. */
static struct process *process_of(struct tracker *t, pid_t pid)
{
	struct process *p = process_find(t, pid);

	if (p || t->mode != TRACK_INTERPRETERS || pid == getpid())
		return p;
	return process_get(t, pid);
}

/* The first of the published mappings that end behind an address; NULL: none. */
static const struct unwind_mapping *
first_behind(const struct mapping_table *table, u64 address)
{
	size_t low =
		table ? SEARCH(table->mapping, table->maps, end, address) : 0;

	return table && low < table->maps ? &table->mapping[low] : NULL;
}

/* Is there something else at that address by what was published? */
static bool is_replaced(const struct process *p,
			const struct unwind_mapping *new)
{
	const struct unwind_mapping *m = first_behind(p->table, new->start);
	const struct unwind_mapping *end =
		m ? p->table->mapping + p->table->maps : NULL;

	for (; m < end && m->start < new->end; m++)
		if (m->file != new->file || m->bias != new->bias)
			return true;
	return false;
}

/* Does the kernel side know by itself that what it publishes there is not so any more? */
static bool is_gone(const struct process *p, const struct unwind_mapping *new)
{
	return p->gone_of == p->serial &&
	       new->start >= p->gone.start &&new->end <= p->gone.end;
}

/* Mappings may not have been told from then on.  The kernel side knows what is gone of
 * what it had by then, but not of what was published since. */
static void lose_track(struct tracker *t, u64 time)
{
	for (struct process *p = t->processes; p; p = p->hh.next) {
		if (!p->table || p->published < time)
			continue;
		process_replaced(t, p, time);
		p->not_before = now_ns() + LOST_PAUSE;
	}
}

void tracker_mapped(struct tracker *t, const struct mapwatch_event *e)
{
	struct map_event event = { .time = e->time, .exec = e->exec };
	struct process *p;

	if (e->lost)
		return lose_track(t, e->time);
	p = process_of(t, e->pid);
	if (!p)
		return;
	if (!p->history)
		p->history = map_history_new();
	if (!e->exec) {
		event.mapping =
			survey_mapping(&t->env, e->pid, &e->map, e->time);
		p->dirty = true;
		/* What was mapped before the last look is in what it found. */
		if (e->time > p->examined && is_replaced(p, &event.mapping) &&
		    !is_gone(p, &event.mapping))
			process_replaced(t, p, e->time);
	}
	map_history_add(p->history, &event);
}

/* Where something is about to be mapped, it is not known what there is. */
static void lose(struct process *p, const struct notice *notice)
{
	const struct map_event event = {
		.time = notice->time,
		.mapping = { .start = notice->arg,
			     .end = notice->end,
			     .file = MAP_NO_FILE },
	};

	if (!p->history)
		p->history = map_history_new();
	map_history_add(p->history, &event);
}

void tracker_gone(struct tracker *t, const struct notice *notice)
{
	struct process *p = process_find(t, notice->pid);
	const struct area area = { notice->arg, notice->end };

	if (!p)
		return;
	p->dirty = true;
	lose(p, notice);
	/* It has published anew meanwhile: then it knew of this. */
	if (p->serial != notice->process)
		return;
	if (p->gone_of != notice->process)
		p->gone = area;
	if (area.start < p->gone.start)
		p->gone.start = area.start;
	if (area.end > p->gone.end)
		p->gone.end = area.end;
	p->gone_of = notice->process;
}

bool tracker_is_replaced(const struct tracker *t, const struct sample *s)
{
	return replaced_is(&t->replaced, s->process, s->time);
}
