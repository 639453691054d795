/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Gives up what no process needs any more: files, and events of map histories.
 *
 * Published mappings say which files are needed (tables.c).  A live process that is not
 * published is examined again within seconds, which looks its files up.  Besides, deferred
 * samples may be walked by mappings of the time when they were taken (map_history.c).
 *
 * Events of the histories that no sample needs are forgotten in the same rounds.
 */
#include "user/files/modules.h"
#include "user/processes/process.h"

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

void process_reclaim(struct tracker *t, u64 now)
{
	struct modules *ms = t->config.modules;
	u64 time;

	if (!modules_may_retire(ms, now))
		return;
	time = settled(t, now);
	for (struct process *p = t->processes; p; p = p->hh.next) {
		u64 known = p->examined < time ? p->examined : time;

		/* The history of a published process serves deferred samples only. */
		if (p->table && !p->refused)
			map_history_settle(&p->history, known);
	}
	if (!modules_retire(ms, now, time))
		return;
	for (struct process *p = t->processes; p; p = p->hh.next)
		forget_files(t, &p->history);
}
