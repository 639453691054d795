/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What processes map, as the kernel's own records and the kernel side tell it.
 *
 * Of a mapping where something else was the kernel side tells first (NOTICE_GONE), and
 * walks by that no more.  What it does not see, a mapping at an address that the process
 * itself has given, comes by the records: samples that were walked by what was there
 * before are stale (stale.h).
 */
#include <unistd.h>

#include "user/kernel/events.h"
#include "user/lib/search.h"
#include "user/processes/node.h"
#include "user/processes/space.h"
#include "user/processes/tracker.h"

/* One that is not known yet may become one of ours. */
static struct node *node_of(struct tracker *t, pid_t pid)
{
	struct node *n = node_find(t, pid);

	if (n || t->mode != TRACK_INTERPRETERS || pid == getpid())
		return n;
	return node_get(t, pid);
}

/* The first of the published mappings that end behind an address; NULL: none. */
static const struct unwind_mapping *first_behind(const struct target_run *run,
						 u64 address)
{
	size_t low = run ? SEARCH(run->mapping, run->maps, end, address) : 0;

	return run && low < run->maps ? &run->mapping[low] : NULL;
}

/* Is there something else at that address by what was published? */
static bool is_replaced(const struct tracker *t, const struct node *n,
			const struct mapwatch_event *e)
{
	const struct unwind_mapping *m = first_behind(n->t.run, e->map.start);
	const struct unwind_mapping *end =
		m ? n->t.run->mapping + n->t.run->maps : NULL;
	struct unwind_mapping new;

	if (!m || m->start >= e->map.end)
		return false;
	new = target_mapping(&t->env, e->pid, &e->map, e->time);
	for (; m < end && m->start < new.end; m++)
		if (m->file != new.file || m->bias != new.bias)
			return true;
	return false;
}

static bool is_within(const struct area *a, const struct area *of)
{
	return a->start >= of->start && a->end <= of->end;
}

void tracker_foretold(struct tracker *t, const struct mapwatch_event *e)
{
	const struct area area = { e->map.start, e->map.end };
	struct node *n = node_find(t, e->pid);

	/* What was mapped before the last look is in what it found. */
	if (!n || e->exec || e->time <= n->examined || !is_replaced(t, n, e))
		return;
	stale_note(&t->stale, n->t.serial, e->time, e->time, &area);
	if (n->gone_of == n->t.serial && !is_within(&area, &n->gone))
		stale_note(&t->stale, n->gone_serial, e->time, e->time, &area);
}

void tracker_mapped(struct tracker *t, const struct mapwatch_event *e)
{
	struct node *n = node_of(t, e->pid);
	struct space_event event = { .time = e->time, .exec = e->exec };

	if (!n)
		return;
	if (!n->space)
		n->space = space_new();
	if (!e->exec) {
		event.mapping =
			target_mapping(&t->env, e->pid, &e->map, e->time);
		n->t.dirty = true;
	}
	space_add(n->space, &event);
}

/* Where something is about to be mapped, it is not known what there is. */
static void lose(struct node *n, const struct notice *notice)
{
	const struct space_event event = {
		.time = notice->time,
		.mapping = { .start = notice->arg,
			     .end = notice->end,
			     .file = SPACE_NO_FILE },
	};

	if (!n->space)
		n->space = space_new();
	space_add(n->space, &event);
}

void tracker_gone(struct tracker *t, const struct notice *notice)
{
	struct node *n = node_find(t, notice->pid);
	const struct area area = { notice->arg, notice->end };

	if (!n)
		return;
	n->t.dirty = true;
	lose(n, notice);
	/* It has published anew meanwhile: then it knew of this. */
	if (n->t.serial != notice->process)
		return;
	if (n->gone_of != notice->process)
		n->gone = area;
	if (area.start < n->gone.start)
		n->gone.start = area.start;
	if (area.end > n->gone.end)
		n->gone.end = area.end;
	n->gone_of = notice->process;
	n->gone_serial = notice->gone;
	stale_follow(&t->stale, notice->process, notice->gone, notice->time,
		     &n->gone);
}

bool tracker_is_stale(const struct tracker *t, const struct sample *s)
{
	return stale_is(&t->stale, s->process, s->time);
}
