/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reacts to notices in their order and re-examines what has changed.
 *
 * A process that has just started a program maps its libraries one after the
 * other, so it is looked at several times: at once, whenever it maps something
 * executable, and for a short while by the clock.  A process in which no
 * interpreter has appeared by then is let go (when looking for interpreters).
 */
#include "user/session/tracker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <uthash.h>

#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/session/engine.h"
#include "user/session/target.h"
#include "user/target/maps.h"
#include "user/target/process.h"
#include "walkers/walker.h"

#define MS		1000000ull
#define FIRST_DELAY	(2 * MS)   /* doubled for each further look */
#define LAST_DELAY	(500 * MS) /* then it stays at that */
#define UNDECIDED_LIMIT (150 * MS) /* wait for an interpreter so long */

struct node {
	struct target t;
	u64 since; /* ns: when it was first undecided */
	UT_hash_handle hh;
};

struct tracker {
	struct target_env env;
	enum track_mode mode;
	struct node *nodes; /* by pid */
	struct tracker_sum sum;
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

struct tracker *tracker_new(struct engine *e, struct modules *ms,
			    struct arena *a, const char *proc,
			    enum track_mode mode)
{
	struct tracker *t = xcalloc(1, sizeof(*t));

	t->env = (struct target_env){ e, ms, a, proc, NULL };
	t->mode = mode;
	return t;
}

void tracker_keep_texts(struct tracker *t, struct texts *texts)
{
	t->env.texts = texts;
}

static struct node *node_find(struct tracker *t, pid_t pid)
{
	struct node *n;

	HASH_FIND_INT(t->nodes, &pid, n);
	return n;
}

static struct node *node_get(struct tracker *t, pid_t pid)
{
	struct node *n = node_find(t, pid);

	if (n)
		return n;
	n = xcalloc(1, sizeof(*n));
	n->t.pid = pid;
	HASH_ADD_INT(t->nodes, t.pid, n);
	return n;
}

/* What is in a process is known for good only when it ends. */
static void count_kind(struct tracker_sum *sum, const struct target *target)
{
	bool any = false;

	if (!target->counted)
		return;
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (target->walker[i] == WALKER_ABSENT)
			continue;
		sum->with[i]++;
		any = true;
	}
	if (!any)
		sum->native_only++;
}

static void node_drop(struct tracker *t, struct node *n)
{
	if (n->t.counted)
		t->sum.live--;
	count_kind(&t->sum, &n->t);
	target_drop_run(&t->env, &n->t);
	HASH_DEL(t->nodes, n);
	free(n);
}

void tracker_free(struct tracker *t)
{
	struct node *n, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->nodes, n, next) {
		node_drop(t, n);
	}
	free(t);
}

/* The process is none of ours: samples so far were not lost, they were never
 * wanted. */
static void let_go(struct tracker *t, struct node *n)
{
	struct process_entry entry;

	if (!engine_get_process(t->env.engine, n->t.pid, &entry))
		t->sum.discarded += entry.pending;
	engine_drop_process(t->env.engine, n->t.pid);
	node_drop(t, n);
}

static void count_seen(struct tracker *t, struct node *n)
{
	if (n->t.counted)
		return;
	n->t.counted = true;
	t->sum.seen++;
	t->sum.live++;
}

static void schedule(struct node *n, u64 now)
{
	n->t.delay = n->t.delay ? n->t.delay * 2 : FIRST_DELAY;
	if (n->t.delay > LAST_DELAY)
		n->t.delay = LAST_DELAY;
	n->t.due = now + n->t.delay;
}

static bool waiting(const struct target *t)
{
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (t->walker[i] == WALKER_WAITING ||
		    t->walker[i] == WALKER_UNPROVEN)
			return true;
	return false;
}

/* No interpreter is there (yet): look again for a while, then let it go. */
static void undecided(struct tracker *t, struct node *n, u64 now)
{
	if (!n->since)
		n->since = now;
	if (now - n->since > UNDECIDED_LIMIT)
		return let_go(t, n);
	schedule(n, now);
}

static int examine(struct tracker *t, struct node *n)
{
	struct maps maps = { 0 };
	u64 now = now_ns();
	int err = process_maps(t->env.proc, n->t.pid, &maps);

	n->t.dirty = false;
	n->t.due = 0;
	/* One that has ended and was not waited for maps nothing. */
	if (!err && !maps.n && process_ended(t->env.proc, n->t.pid))
		err = -ESRCH;
	if (err) {
		maps_release(&maps);
		return err;
	}
	if (!n->t.listed && t->mode == TRACK_INTERPRETERS && !n->t.counted &&
	    target_walkers(&t->env, n->t.pid, &maps) <= 0) {
		maps_release(&maps);
		undecided(t, n, now);
		return 0;
	}
	err = target_publish(&t->env, &n->t, &maps);
	maps_release(&maps);
	if (err)
		return err;
	count_seen(t, n);
	if (waiting(&n->t))
		schedule(n, now);
	else
		n->t.delay = 0;
	return 0;
}

int tracker_add(struct tracker *t, pid_t pid)
{
	struct node *n = node_get(t, pid);
	int err;

	n->t.listed = true;
	err = examine(t, n);
	if (err)
		let_go(t, n);
	return err;
}

int tracker_expect(struct tracker *t, pid_t pid)
{
	struct process_entry entry = { .state = PROCESS_IGNORED };

	node_get(t, pid)->t.listed = true;
	return engine_put_process(t->env.engine, pid, &entry);
}

void tracker_scan(struct tracker *t)
{
	pid_t *pid = NULL, self = getpid();
	ssize_t n =
		t->mode == TRACK_LISTED ? 0 : process_list(t->env.proc, &pid);

	for (ssize_t i = 0; i < n; i++) {
		struct node *node;

		if (pid[i] == self || node_find(t, pid[i]))
			continue;
		node = node_get(t, pid[i]);
		node->t.listed = t->mode == TRACK_ALL;
		/* It did not start just now: one look decides. */
		node->since = 1;
		if (examine(t, node))
			let_go(t, node);
	}
	free(pid);
}

static void process_forked(struct tracker *t, const struct notice *notice)
{
	struct node *parent = node_find(t, notice->pid);
	struct node *child = node_get(t, notice->arg);

	if (child->t.run)
		return;
	if (!parent) {
		child->t.dirty = true;
		return;
	}
	target_inherit(&child->t, &parent->t);
	child->t.serial = notice->process;
	count_seen(t, child);
	if (waiting(&child->t))
		schedule(child, now_ns());
}

static void process_execed(struct tracker *t, const struct notice *notice)
{
	struct node *n = node_find(t, notice->pid);
	bool listed = t->mode == TRACK_ALL || (n && n->t.listed);

	if (notice->pid == (u32)getpid())
		return;
	if (n)
		node_drop(t, n);
	n = node_get(t, notice->pid);
	n->t.listed = listed;
	n->t.serial = notice->process;
	n->t.dirty = true;
}

static void process_exited(struct tracker *t, const struct notice *notice)
{
	struct node *n = node_find(t, notice->pid);

	if (n)
		node_drop(t, n);
}

void tracker_notice(struct tracker *t, const struct notice *n)
{
	switch (n->kind) {
	case NOTICE_FORK:
		process_forked(t, n);
		break;
	case NOTICE_EXEC:
		process_execed(t, n);
		break;
	case NOTICE_EXIT:
		process_exited(t, n);
		break;
	case NOTICE_UNMAPPED:
		tracker_mapped(t, n->pid);
		break;
	}
}

void tracker_mapped(struct tracker *t, pid_t pid)
{
	struct node *n = node_find(t, pid);

	if (n) {
		n->t.dirty = true;
	} else if (t->mode == TRACK_INTERPRETERS && pid != getpid()) {
		n = node_get(t, pid);
		n->t.dirty = true;
	}
}

int tracker_work(struct tracker *t)
{
	u64 now = now_ns(), next = 0;
	struct node *n, *after;

	HASH_ITER (hh, t->nodes, n, after) {
		if (!n->t.dirty && (!n->t.due || n->t.due > now)) {
			if (n->t.due && (!next || n->t.due < next))
				next = n->t.due;
			continue;
		}
		/* When the process has gone its exit notice clears it away; one
		 * that never had an entry has no such notice. */
		if (examine(t, n) == -ESRCH && !n->t.run)
			let_go(t, n);
		if (!next || next > now + 10 * MS)
			next = now + 10 * MS;
	}
	if (!next)
		return -1;
	return next <= now ? 0 : (int)((next - now + MS - 1) / MS);
}

struct tracker_sum tracker_sum(const struct tracker *t)
{
	struct tracker_sum sum = t->sum;

	for (const struct node *n = t->nodes; n; n = n->hh.next)
		count_kind(&sum, &n->t);
	return sum;
}
