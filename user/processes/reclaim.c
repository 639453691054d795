/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Published mappings say which files are needed (tables.c).  Two more uses keep a file:
 * a live process was reported to map it but is not published, for lack of room or
 * because it is still undecided; and deferred samples may be walked by mappings of the
 * time when they were taken (map_history.c).
 *
 * Events of the histories that no sample needs are forgotten in the same rounds.
 */
#include "user/processes/reclaim.h"

#include "user/files/modules.h"
#include "user/processes/process.h"
#include "user/files/tables.h"

#define MS     1000000ull
#define SETTLE (10000 * MS) /* ns: records are read long before */

/* Mappings of closed files lead nowhere from now on. */
static void forget_files(const struct tracker *t, struct map_history *s)
{
	for (size_t i = 0; i < s->n; i++) {
		u32 *file = &s->event[i].mapping.file;

		if (*file != MODULES_NONE &&
		    !modules_get(t->config.modules, *file))
			*file = MAP_NO_FILE;
	}
}

/* The files of a live process that is not published are in use. */
static void touch_files(const struct tracker *t, const struct process *p)
{
	for (size_t i = 0; i < p->history.n; i++) {
		u32 file = p->history.event[i].mapping.file;

		if (modules_get(t->config.modules, file))
			tables_touch(modules_tables(t->config.modules), file);
	}
}

/* ns: no older sample is still to come or deferred. */
static u64 settled(const struct tracker *t, u64 now)
{
	u64 time = now;

	for (const struct process *p = t->processes; p; p = p->hh.next) {
		u64 oldest = deferred_oldest(&p->deferred);

		time = oldest < time ? oldest : time;
	}
	return time > SETTLE ? time - SETTLE : 0;
}

void reclaim_work(struct tracker *t, u64 now)
{
	struct modules *ms = t->config.modules;
	u64 time;

	if (!modules_may_retire(ms, now))
		return;
	time = settled(t, now);
	for (struct process *p = t->processes; p; p = p->hh.next) {
		u64 known = p->examined < time ? p->examined : time;

		if (!p->table && !p->ended)
			touch_files(t, p);
		/* The history of a published process serves deferred samples only. */
		if (p->table && !p->refused)
			map_history_settle(&p->history, known);
	}
	if (!modules_retire(ms, now, time))
		return;
	for (struct process *p = t->processes; p; p = p->hh.next)
		forget_files(t, &p->history);
}
