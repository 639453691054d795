/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * New mappings of processes, as the kernel's records report them.
 *
 * When a program maps something by an ordinary call, the kernel side notes that first, and
 * does not walk by what was published for these addresses before (bpf/fresh.bpf.h).  It
 * does not see a mapping at an address that the process has chosen itself.  That one
 * comes with the kernel's records, and samples that were walked by the replaced mapping
 * are cut: those with the serial of the publication.
 */
#include <unistd.h>

#include "user/kernel/events.h"
#include "user/lib/clock.h"
#include "user/processes/process.h"
#include "user/processes/survey.h"
#include "user/processes/tracker.h"

#define LOST_PAUSE 100000000ull /* ns: losses mostly go on a while */

/* Finds the process.  An unknown one may turn out to be wanted, so it is added when
 * processes with interpreters are looked for. */
static struct process *process_of(struct tracker *t, pid_t pid)
{
	struct process *p = process_find(t, pid);

	if (p || t->config.mode != TRACK_INTERPRETERS || pid == getpid())
		return p;
	return process_get(t, pid);
}

/* Mappings may not have been reported since that time.  What is known of earlier ones
 * does not tell what was mapped when a sample was taken. */
static void lose_track(struct tracker *t, u64 time)
{
	for (struct process *p = t->processes; p; p = p->hh.next) {
		if (process_has_left(p))
			continue;
		map_history_lose(&p->history, now_ns());
		p->dirty = true;
		p->not_before = now_ns() + LOST_PAUSE;
		if (p->table && p->published >= time)
			process_replaced(p, time);
	}
}

void tracker_mapped(void *tracker, const struct mapwatch_event *e)
{
	struct map_event event = { .time = e->time, .exec = e->exec };
	struct tracker *t = tracker;
	struct process *p;

	if (e->lost)
		return lose_track(t, e->time);
	p = process_of(t, e->pid);
	if (!p)
		return;
	if (!e->exec) {
		event.mapping = survey_mapping(t, e->pid, &e->map, e->time);
		p->dirty = true;
		/* The last examination has already found what was mapped before it. */
		if (e->time > p->examined &&
		    mapping_table_has_other(p->table, &event.mapping))
			process_replaced(p, e->time);
	}
	map_history_add(&p->history, &event);
}
