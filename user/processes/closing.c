/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which files are needed is known by what has been published of processes (tables.c).
 * Besides those: what a live process has been told to map that is not published, for
 * want of room or because it is not known yet what it is; and what samples that wait
 * were taken in, as they are walked by what was told (space.c).  That is forgotten when
 * there is little room for it, and it is not needed.
 */
#include "user/processes/closing.h"

#include "user/files/modules.h"
#include "user/processes/node.h"
#include "user/processes/space.h"
#include "user/files/tables.h"

#define MS     1000000ull
#define SETTLE (10000 * MS) /* records are read long before */
#define PAUSE  (200 * MS)   /* between doing something and doing more */

static u64 earlier(u64 time, const struct node *n)
{
	u64 oldest = backlog_oldest(&n->backlog);

	return oldest < time ? oldest : time;
}

/* Mappings of files that were closed lead nowhere now. */
static void forget_files(const struct tracker *t, struct space *s)
{
	for (size_t i = 0; s && i < s->n; i++) {
		u32 *file = &s->event[i].mapping.file;

		if (*file != MODULES_NONE &&
		    !modules_get(t->env.modules, *file))
			*file = SPACE_NO_FILE;
	}
}

/* A live process that is not published maps what it was told to map. */
static void touch_files(const struct tracker *t, const struct node *n)
{
	const struct space *s = n->t.run || n->ended ? NULL : n->space;

	for (size_t i = 0; s && i < s->n; i++) {
		u32 file = s->event[i].mapping.file;

		if (modules_get(t->env.modules, file))
			tables_touch(modules_tables(t->env.modules), file);
	}
}

/* ns: no older sample is still to come, or waits. */
static u64 settled(const struct tracker *t, u64 now)
{
	u64 time = now;

	for (const struct node *n = t->nodes; n; n = n->hh.next)
		time = earlier(time, n);
	for (const struct node *n = t->leaving; n; n = n->next)
		time = earlier(time, n);
	return time > SETTLE ? time - SETTLE : 0;
}

/* What was told of processes that are published serves for samples that wait only. */
static void settle_spaces(struct tracker *t, u64 now)
{
	u64 time = settled(t, now);

	for (struct node *n = t->nodes; n; n = n->hh.next)
		if (n->t.run && !n->refused)
			space_settle(n->space,
				     n->examined < time ? n->examined : time);
}

void closing_work(struct tracker *t, u64 now)
{
	struct modules *ms = t->env.modules;
	struct modules_time time = { .now = now };

	if (space_crowded() && now >= t->spaces_settled + PAUSE) {
		t->spaces_settled = now;
		settle_spaces(t, now);
	}
	if (now < t->retired + PAUSE ||
	    (!modules_crowded(ms) && !modules_may_retire(ms, now)))
		return;
	t->retired = now;
	time.settled = settled(t, now);
	for (const struct node *n = t->nodes; n; n = n->hh.next)
		touch_files(t, n);
	if (!modules_retire(ms, &time, t->name, t->sink.ctx))
		return;
	for (struct node *n = t->nodes; n; n = n->hh.next)
		forget_files(t, n->space);
	for (struct node *n = t->leaving; n; n = n->next)
		forget_files(t, n->space);
}
