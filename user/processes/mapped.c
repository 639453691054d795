/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * New mappings of processes, as the kernel's records and the kernel side report them.
 *
 * When a program maps something over a published mapping by an ordinary call, the
 * kernel side notices first: it sends NOTICE_GONE and no longer walks by that mapping.
 * It does not see a mapping at an address that the process has chosen itself. That one
 * comes with the kernel's records, and samples that were walked by the replaced mapping
 * are cut (replaced.h).
 */
#include <unistd.h>

#include "user/kernel/events.h"
#include "user/lib/clock.h"
#include "user/processes/process.h"
#include "user/processes/map_history.h"
#include "user/processes/survey.h"
#include "user/processes/tracker.h"

#define LOST_PAUSE 100000000ull /* ns: losses mostly go on a while */

/* Finds the process.  An unknown one may turn out to be wanted, so it is added when
 * processes with interpreters are looked for. */
static struct process *process_of(struct tracker *t, pid_t pid)
{
	struct process *p = process_find(t, pid);

	if (p || t->mode != TRACK_INTERPRETERS || pid == getpid())
		return p;
	return process_get(t, pid);
}

/* Whether the kernel side itself has noticed that its publication no longer holds at
 * the new mapping's addresses. */
static bool is_gone(const struct process *p, const struct unwind_mapping *new)
{
	return p->gone_of == p->serial &&
	       new->start >= p->gone.start &&new->end <= p->gone.end;
}

/* Mapping records may be missing from that time on.  The kernel side knows what is gone
 * of what was published before, but not of what was published since. */
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
	if (!e->exec) {
		event.mapping =
			survey_mapping(&t->env, e->pid, &e->map, e->time);
		p->dirty = true;
		/* The last examination has already found what was mapped before it. */
		if (e->time > p->examined &&
		    mapping_table_has_other(p->table, &event.mapping) &&
		    !is_gone(p, &event.mapping))
			process_replaced(t, p, e->time);
	}
	process_add_event(t, p, &event);
}

void tracker_gone(struct tracker *t, const struct notice *notice)
{
	struct process *p = process_find(t, notice->pid);
	const struct area area = { notice->arg, notice->end };
	/* Nothing is known at these addresses from the notice on. */
	const struct map_event event = { .time = notice->time,
					 .mapping = { .start = area.start,
						      .end = area.end,
						      .file = MAP_NO_FILE } };

	if (!p)
		return;
	p->dirty = true;
	process_add_event(t, p, &event);
	if (p->serial != notice->process) {
		/* The kernel side does not know of it in the newer publication, which
		 * may be from before it. */
		if (notice->time > p->examined &&
		    mapping_table_has_other(p->table, &event.mapping))
			process_replaced(t, p, notice->time);
		return;
	}
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
