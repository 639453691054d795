/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reacts to notices in their order and examines processes that have changed.
 *
 * A process that has just started a program maps its libraries one after the other, so
 * it is examined several times: at once, whenever it maps something executable, and for
 * a short while by the clock.  When interpreters are looked for, a process that holds
 * none by then is let go.  While every mapping since its exec has been reported and
 * none is an interpreter's, nothing is read: most programs that start on a host are not
 * wanted, and end before that.
 *
 * Samples taken before a process is known are deferred (deferred.c).  They are walked
 * as soon as its mappings are known and the tables are built.  The process may have
 * ended by then, and is no longer found by its pid.
 */
#include "user/processes/tracker.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/lib/clock.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/files/modules.h"
#include "user/processes/process.h"
#include "user/processes/survey.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/target/proc.h"
#include "walkers/walker.h"

#define MS	    1000000ull
#define SECOND_LOOK (500 * MS)
#define AGAIN	    (10 * MS) /* ns: before the next attempt */
/* A process can have 60,000 mappings and change them all the time.  When reading them
 * took longer than COSTLY (CPU time), PAUSE times as long passes until the next
 * look. */
#define COSTLY (4 * MS)
#define PAUSE  20

#define MAX_GENERATIONS 256 /* scans: some may fork all the time */

struct tracker *tracker_new(const struct tracker_config *config)
{
	struct tracker *t = xcalloc(1, sizeof(*t));

	t->config = *config;
	return t;
}

void tracker_free(struct tracker *t)
{
	struct process *p, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->processes, p, next)
		process_free(t, p);
	for (size_t i = 0; i < TRACKER_TOP; i++)
		free(t->sum.top[i].command);
	mapping_table_free_dropped(t);
	free(t);
}

/* The process holds no interpreter yet: look again for a while, then let it go. */
static void undecided(struct tracker *t, struct process *p, u64 now)
{
	if (!p->since)
		p->since = now;
	if (now - p->since > PROCESS_UNDECIDED)
		return process_let_go(t, p);
	process_schedule(p, now);
}

/* Count a process that found no room, once. */
static void count_refusal(struct tracker *t, struct process *p, int err)
{
	bool is_refused = err == -E2BIG || err == -ENOSPC;

	if (is_refused && !p->refused)
		t->config.sink.count(t->config.sink.ctx,
				     err == -E2BIG ? HOST_PROCESSES
						   : HOST_NO_ROOM);
	p->refused = is_refused;
	if (is_refused)
		process_schedule(p, now_ns());
}

/* Publish what a look at the process's maps has shown. */
static int publish(struct tracker *t, struct process *p, const struct survey *s,
		   const struct maps *maps, const struct process_entry *before)
{
	bool is_new = !p->serial;
	int err;

	if (!p->published || (s->walkers && !p->interprets))
		process_describe(t, p, s->walkers);
	err = publication_make(t, p, s, maps, before);
	count_refusal(t, p, err);
	if (err)
		return err;
	process_count_seen(t, p);
	if (process_is_waiting(p)) {
		process_schedule(p, p->examined);
	} else {
		p->delay = 0;
		/* The process may have ended between the look and the entry. */
		p->due = is_new ? p->examined + SECOND_LOOK : 0;
	}
	return 0;
}

static int examine_maps(struct tracker *t, struct process *p,
			const struct maps *maps,
			const struct process_entry *before)
{
	struct survey s = { 0 };
	int err = 0;

	survey_make(t, p->pid, maps, &s);
	if (t->config.mode == TRACK_INTERPRETERS && !p->counted && !s.walkers)
		undecided(t, p, p->examined);
	else
		err = publish(t, p, &s, maps, before);
	survey_release(&s);
	return err;
}

static bool is_chosen(const struct tracker *t, const struct process *p)
{
	return (!p->ignored || p->stays) &&
	       (!t->config.is_chosen ||
		t->config.is_chosen(t->config.chosen_ctx, p->pid));
}

static int examine(struct tracker *t, struct process *p)
{
	struct process_entry before = { 0 };
	struct maps maps = { 0 };
	u64 now = now_ns(), used;
	int err;

	if (process_is_stranger(t, p, now))
		return 0;
	/* The entry is read first: what is found then belongs to this entry or an
	 * earlier one. */
	engine_get_process(t->config.engine, p->pid, &before);
	if (before.serial && process_is_overtaken(p, &before, now)) {
		p->dirty = true;
		return 0;
	}
	if (!is_chosen(t, p)) {
		if (proc_ended(t->config.proc, p->pid))
			return -ESRCH;
		process_ignore(t, p);
		return 0;
	}
	p->ignored = false;
	t->sum.looks++;
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	err = proc_maps(t->config.proc, p->pid, &maps);
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - used;
	p->not_before = used > COSTLY ? now + PAUSE * used : 0;
	p->examined = now;
	p->seen = now_ns();
	p->tables = 0;
	p->dirty = false;
	p->due = 0;
	if (!err && !maps.n && proc_ended(t->config.proc, p->pid))
		err = -ESRCH;
	/* A known process without mappings is about to end or to begin another program.
	 * An unknown one is a kernel thread. */
	if (!err && !maps.n && p->serial)
		process_schedule(p, p->seen);
	else if (!err)
		err = examine_maps(t, p, &maps, &before);
	else
		count_refusal(t, p, err);
	maps_release(&maps);
	return err;
}

int tracker_add(struct tracker *t, pid_t pid)
{
	struct process *p = process_get(t, pid);
	int err;

	p->stays = true;
	err = examine(t, p);
	/* A process that found no room is tried again. */
	if (err && !p->refused)
		process_let_go(t, p);
	return err;
}

int tracker_expect(struct tracker *t, pid_t pid)
{
	struct process_entry entry = { .state = PROCESS_IGNORED };

	process_get(t, pid);
	return engine_put_process(t->config.engine, pid, &entry, false);
}

/* Examine every process that is not known; with TRACK_LISTED only children of known
 * ones.  Returns false when there was none. */
static bool scan(struct tracker *t)
{
	pid_t *pid = NULL, self = getpid();
	ssize_t n = proc_list(t->config.proc, &pid);
	bool any = false;

	for (ssize_t i = 0; i < n; i++) {
		struct process *p;

		if (pid[i] == self || process_find(t, pid[i]) ||
		    (t->config.mode == TRACK_LISTED &&
		     !process_find(t, proc_parent(t->config.proc, pid[i]))))
			continue;
		p = process_get(t, pid[i]);
		/* The process did not start just now: one look decides. */
		p->since = 1;
		if (!examine(t, p))
			any = true;
		else if (!p->refused)
			process_let_go(t, p);
	}
	free(pid);
	return any;
}

void tracker_scan(struct tracker *t)
{
	int left = MAX_GENERATIONS;

	if (t->config.mode != TRACK_LISTED)
		scan(t);
	/* The kernel side reports forks of known processes only.  A process that was
	 * not known yet may have forked meanwhile: the next round finds its
	 * children. */
	while (t->config.mode == TRACK_LISTED && t->config.children && left-- &&
	       scan(t))
		;
}

void tracker_recheck(struct tracker *t)
{
	for (struct process *p = t->processes; p; p = p->hh.next)
		p->dirty = p->notices_lost = true;
}

/* Whether enough is known of the process to walk its samples. */
static bool is_decided(const struct tracker *t, const struct process *p)
{
	return p->table || (t->config.mode != TRACK_INTERPRETERS &&
			    (p->examined || !t->config.is_chosen));
}

/* Whether the process is to be examined now. */
static bool is_due(const struct process *p, u64 now)
{
	return p->not_before <= now && (p->dirty || (p->due && p->due <= now));
}

void process_work(struct tracker *t, struct process *p, u64 now)
{
	if (p->vanished)
		engine_drop_process(t->config.engine, p->pid);
	if (p->ended || p->vanished)
		return process_leave(t, p);
	if (is_due(p, now)) {
		pid_t pid = p->pid;
		int err = examine(t, p);

		/* Its samples may still lie in the ring, so it leaves in the next
		 * round. */
		p = process_find(t, pid);
		if (!p)
			return;
		p->vanished = err == -ESRCH;
	}
}

/* The earlier of two times; 0: never. */
static u64 earlier(u64 a, u64 b)
{
	return !a || (b && b < a) ? b : a;
}

int tracker_work(struct tracker *t)
{
	u64 now = now_ns(), next = 0;
	struct process *p, *after;

	mapping_table_free_dropped(t);
	process_reclaim(t, now);
	HASH_ITER (hh, t->processes, p, after) {
		bool wanted = p->dirty || (p->due && p->due <= now);

		if (process_has_left(p))
			continue;
		next = earlier(next, wanted ? now + AGAIN : p->due);
		process_work(t, p, now);
	}
	/* Walks come after all looks: deferred samples can wait, but processes that are
	 * not published yet are being sampled. */
	for (p = t->processes; p; p = p->hh.next) {
		if (process_has_left(p))
			continue;
		probes_attach(t, p);
		call_probes_attach(t, p);
		if (p->watch)
			next = earlier(next, watch_work(t, p, now));
		if (is_decided(t, p))
			process_walk(t, p);
		if (p->dirty)
			next = earlier(next, now + AGAIN);
	}
	process_work_leaving(t);
	if (t->dropped)
		next = earlier(next, now + AGAIN);
	next = earlier(next, modules_due(t->config.modules));
	if (!next)
		return -1;
	return next <= now ? 0 : (int)((next - now + MS - 1) / MS);
}
