/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reacts to notices in their order and re-examines what has changed.
 *
 * A process that has just started a program maps its libraries one after the
 * other, so it is looked at several times: at once, whenever it maps something
 * executable, and for a short while by the clock.  A process in which no
 * interpreter has appeared by then is let go (when looking for interpreters).  While
 * all that it has mapped since its exec was told, and holds none, nothing is read: most
 * of what starts on a host are strangers, and gone before that.
 *
 * Its samples from before that are kept (backlog.c).  They are walked as soon as it
 * is known what the process maps and the tables are built, which may be after it
 * has ended: then it leaves the registry and lives on among the leaving ones.
 */
#include "user/processes/tracker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/session/chosen.h"
#include "user/processes/closing.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/intake/held.h"
#include "user/kernel/look.h"
#include "user/files/modules.h"
#include "user/processes/node.h"
#include "user/processes/space.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/target/process.h"
#include "walkers/walker.h"

#define MS	    1000000ull
#define SECOND_LOOK (500 * MS)
#define AGAIN	    (10 * MS) /* what could not be done now, or has been */
/* A process can change its mappings all the time, and have 60,000 of them: when it
 * took so long (CPU time) to read them, so many times that passes without. */
#define COSTLY (4 * MS)
#define PAUSE  20

#define MAX_ROUNDS	8   /* that bring nothing, at the end */
#define MAX_GENERATIONS 256 /* looks at /proc: some may fork all the time */

struct tracker *tracker_new(const struct tracker_config *config)
{
	struct tracker *t = xcalloc(1, sizeof(*t));

	t->env = (struct target_env){ config->engine, config->modules,
				      config->arena,  config->proc,
				      config->keep,   &t->dropped };
	t->mode = config->mode;
	t->children = config->children;
	t->options = config->options;
	t->sink = *config->sink;
	t->pages = config->pages;
	t->name = config->name;
	return t;
}

void tracker_free(struct tracker *t)
{
	struct node *n, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->nodes, n, next) {
		HASH_DEL(t->nodes, n);
		node_free(t, n);
	}
	for (n = t->leaving; n; n = next) {
		next = n->next;
		node_free(t, n);
	}
	for (size_t i = 0; i < TRACKER_TOP; i++)
		free(t->sum.top[i].command);
	target_free_dropped(&t->env);
	stale_release(&t->stale);
	free(t);
}

/* No interpreter is there (yet): look again for a while, then let it go. */
static void undecided(struct tracker *t, struct node *n, u64 now)
{
	if (!n->since)
		n->since = now;
	if (now - n->since > NODE_UNDECIDED)
		return node_let_go(t, n);
	node_schedule(n, now);
}

/* A limit was reached. */
static void count_refusal(struct tracker *t, struct node *n, int err)
{
	bool is_refused = err == -E2BIG || err == -ENOSPC;

	if (is_refused && !n->refused)
		t->sink.count(t->sink.ctx,
			      err == -E2BIG ? HOST_PROCESSES : HOST_NO_ROOM);
	n->refused = is_refused;
	if (is_refused)
		node_schedule(n, now_ns());
}

/* It was looked at, by these maps. */
static int examine_maps(struct tracker *t, struct node *n,
			const struct maps *maps,
			const struct process_entry *before)
{
	bool is_new = !n->t.serial;
	struct target_run *old;
	char *command;
	int err;

	if (!n->t.listed && t->mode == TRACK_INTERPRETERS && !n->t.counted &&
	    target_walkers(&t->env, n->t.pid, maps) <= 0) {
		undecided(t, n, n->examined);
		return 0;
	}
	command = n->run_since ? NULL : process_command(t->env.proc, n->t.pid);
	if (command) {
		free(n->text);
		n->text = command;
	}
	old = node_hold(n);
	err = target_publish(&t->env, &n->t, maps, before);
	node_published(t, n, old);
	count_refusal(t, n, err);
	if (err)
		return err;
	node_count_seen(t, n);
	if (node_is_waiting(n)) {
		node_schedule(n, n->examined);
	} else {
		n->t.delay = 0;
		/* Its end may have come between the look and the entry. */
		n->t.due = is_new ? n->examined + SECOND_LOOK : 0;
	}
	return 0;
}

static bool is_chosen(const struct tracker *t, const struct node *n)
{
	return (!n->ignored || n->stays) &&
	       (!t->options || chosen_is(t->options, n->t.pid));
}

static int examine(struct tracker *t, struct node *n)
{
	struct look *look = engine_look(t->env.engine);
	struct process_entry before = { 0 };
	struct maps maps = { 0 };
	u64 now = now_ns(), used;
	int err;

	if (node_is_stranger(t, n, now))
		return 0;
	/* First of all: what is found belongs to this entry or an earlier one. */
	engine_get_process(t->env.engine, n->t.pid, &before);
	if (before.serial && node_is_overtaken(n, &before, now)) {
		n->t.dirty = true;
		return 0;
	}
	if (!is_chosen(t, n)) {
		if (process_ended(t->env.proc, n->t.pid))
			return -ESRCH;
		node_ignore(t, n);
		return 0;
	}
	n->ignored = false;
	look_begin(look, n->t.pid);
	t->sum.looks++;
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	err = process_maps(t->env.proc, n->t.pid, &maps);
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - used;
	n->t.not_before = used > COSTLY ? now + PAUSE * used : 0;
	n->examined = now;
	n->seen = now_ns();
	n->tables = 0;
	n->t.dirty = false;
	n->t.due = 0;
	if (!err && !maps.n && process_ended(t->env.proc, n->t.pid))
		err = -ESRCH;
	/* It is about to end, or begins another program just now.  Of what was never
	 * known it is a kernel thread. */
	if (!err && !maps.n && n->t.serial)
		node_schedule(n, n->seen);
	else if (!err)
		err = examine_maps(t, n, &maps, &before);
	look_end(look);
	maps_release(&maps);
	return err;
}

int tracker_add(struct tracker *t, pid_t pid)
{
	struct node *n = node_get(t, pid);
	int err;

	n->stays = true;
	err = examine(t, n);
	/* It is tried again when there was no room for it. */
	if (err && !n->refused)
		node_let_go(t, n);
	return err;
}

int tracker_expect(struct tracker *t, pid_t pid)
{
	struct process_entry entry = { .state = PROCESS_IGNORED };

	node_get(t, pid);
	return engine_put_process(t->env.engine, pid, &entry);
}

/* Examines every process that is not known; of TRACK_LISTED, only children of known ones.
 * false: there was none. */
static bool scan(struct tracker *t)
{
	pid_t *pid = NULL, self = getpid();
	ssize_t n = process_list(t->env.proc, &pid);
	bool any = false;

	for (ssize_t i = 0; i < n; i++) {
		struct node *node;

		if (pid[i] == self || node_find(t, pid[i]) ||
		    (t->mode == TRACK_LISTED &&
		     !node_find(t, process_parent(t->env.proc, pid[i]))))
			continue;
		node = node_get(t, pid[i]);
		/* It did not start just now: one look decides. */
		node->since = 1;
		if (!examine(t, node))
			any = true;
		else if (!node->refused)
			node_let_go(t, node);
	}
	free(pid);
	return any;
}

void tracker_scan(struct tracker *t)
{
	int left = MAX_GENERATIONS;

	if (t->mode != TRACK_LISTED)
		scan(t);
	/* The kernel side tells of forks by known processes only.  A process that was
	 * not known yet may have forked meanwhile: the next round finds its children. */
	while (t->mode == TRACK_LISTED && t->children && left-- && scan(t))
		;
}

void tracker_kept(struct tracker *t, const struct sample *s, size_t len)
{
	struct node *n = node_find(t, s->pid);

	if (n && n->ignored) {
		t->sum.discarded++;
		held_drop(s, t->pages);
		return;
	}
	if (t->bytes + len > BACKLOG_LIMIT) {
		t->sink.count(t->sink.ctx, LOST_NOT_READY);
		held_drop(s, t->pages);
		return;
	}
	if (!n) {
		n = node_get(t, s->pid);
		n->t.dirty = true;
	}
	node_name(n, s);
	if (s->status == CUT_NO_MAPPING && n->examined <= s->time)
		n->t.dirty = true;
	backlog_add(&n->backlog, s, len);
	n->tables = 0;
	t->bytes += len;
	if (t->bytes > t->sum.most_bytes)
		t->sum.most_bytes = t->bytes;
}

void tracker_recheck(struct tracker *t)
{
	for (struct node *n = t->nodes; n; n = n->hh.next)
		n->t.dirty = n->doubtful = true;
}

/* Is it known well enough for its samples to be walked? */
static bool is_decided(const struct tracker *t, const struct node *n)
{
	return n->t.run || (n->t.listed && (n->examined || !t->options));
}

/* Is it to be looked at now? */
static bool is_due(const struct node *n, u64 now)
{
	return n->t.not_before <= now &&
	       (n->t.dirty || (n->t.due && n->t.due <= now));
}

/* What is due for one process, but for walks. */
static void work_node(struct tracker *t, struct node *n, u64 now)
{
	if (n->vanished)
		engine_drop_process(t->env.engine, n->t.pid);
	if (n->ended || n->vanished)
		return node_leave(t, n);
	if (is_due(n, now)) {
		pid_t pid = n->t.pid;
		int err = examine(t, n);

		/* What it left may still lie in the ring. */
		n = node_find(t, pid);
		if (!n)
			return;
		n->vanished = err == -ESRCH;
	}
}

/* The earlier time of both; 0: never. */
static u64 earlier(u64 a, u64 b)
{
	return !a || (b && b < a) ? b : a;
}

int tracker_work(struct tracker *t)
{
	u64 now = now_ns(), next = 0, closing;
	struct node *n, *after;

	target_free_dropped(&t->env);
	closing_work(t, now);
	HASH_ITER (hh, t->nodes, n, after) {
		bool wanted = n->t.dirty || (n->t.due && n->t.due <= now);

		next = earlier(next, wanted ? now + AGAIN : n->t.due);
		work_node(t, n, now);
	}
	/* After all looks: what waits here can wait, and what is not published yet is
	 * being sampled. */
	for (n = t->nodes; n; n = n->hh.next) {
		if (is_decided(t, n))
			node_walk(t, n);
		if (n->t.dirty)
			next = earlier(next, now + AGAIN);
	}
	node_work_leaving(t);
	if (t->dropped)
		next = earlier(next, now + AGAIN);
	closing = modules_due(t->env.modules);
	if (closing != ~0ull)
		next = earlier(next, closing);
	if (!next)
		return -1;
	return next <= now ? 0 : (int)((next - now + MS - 1) / MS);
}

static size_t walk_all(struct tracker *t)
{
	struct node *n, *after;

	node_work_leaving(t);
	HASH_ITER (hh, t->nodes, n, after)
		node_walk(t, n);
	return tracker_sum(t).backlog;
}

/* What one stack needs is found table by table, and these may have to take turns. */
static void finish_walks(struct tracker *t)
{
	struct tables *tables = modules_tables(t->env.modules);
	size_t left = walk_all(t), rounds = 0;

	while (left && rounds < MAX_ROUNDS) {
		size_t made = tables_sum(tables).tables, now;

		tables_build(tables, 0);
		now = walk_all(t);
		if (now < left || tables_sum(tables).tables > made)
			rounds = 0;
		else
			rounds++;
		left = now;
	}
	t->last = true;
	for (struct node *n = t->nodes; n; n = n->hh.next)
		n->tables = 0;
	for (struct node *n = t->leaving; n; n = n->next)
		n->tables = 0;
	walk_all(t);
}

void tracker_finish(struct tracker *t)
{
	struct node *n, *after;

	HASH_ITER (hh, t->nodes, n, after)
		if (!n->ended && n->backlog.n)
			work_node(t, n, now_ns());
	/* The last notices, or this look, told of more that has ended. */
	HASH_ITER (hh, t->nodes, n, after)
		if (n->ended || n->vanished)
			work_node(t, n, now_ns());
	HASH_ITER (hh, t->nodes, n, after) {
		if (!n->backlog.n)
			continue;
		n->ended = true;
		n->tables = 0;
		node_decide(t, n);
		node_walk(t, n);
	}
	finish_walks(t);
	for (n = t->nodes; n; n = n->hh.next)
		node_rank(t, n);
	for (n = t->leaving; n; n = n->next)
		node_rank(t, n);
}

struct tracker_sum tracker_sum(const struct tracker *t)
{
	struct tracker_sum sum = t->sum;

	for (const struct node *n = t->nodes; n; n = n->hh.next) {
		node_count_kind(&sum, &n->t);
		sum.nodes++;
		sum.wanted += !n->ignored || n->stays;
		sum.backlog += n->backlog.n;
	}
	for (const struct node *n = t->leaving; n; n = n->next) {
		node_count_kind(&sum, &n->t);
		sum.backlog += n->backlog.n;
	}
	return sum;
}
