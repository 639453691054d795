/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A node is found by its pid while its program runs.  When that ends it moves to
 * the list of those that leave, where it stays until the tables for the samples
 * that it left are built; the pid may be another's by then.
 */
#include "user/processes/node.h"

#include <stdlib.h>

#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/files/modules.h"
#include "user/processes/space.h"
#include "user/files/tables.h"
#include "walkers/walker.h"

#define MS	    1000000ull
#define NOTICE_LATE (500 * MS)	      /* then it was lost */
#define FIRST_DELAY (2 * MS)	      /* longer for each further look */
#define LAST_DELAY  (4000 * MS)	      /* then it stays at that */
#define IDLE_DELAY  (256 * 1000 * MS) /* or at that, when nothing waits for it */

struct node *node_find(struct tracker *t, pid_t pid)
{
	struct node *n;

	HASH_FIND_INT(t->nodes, &pid, n);
	return n;
}

struct node *node_get(struct tracker *t, pid_t pid)
{
	struct node *n = node_find(t, pid);

	if (n)
		return n;
	n = xcalloc(1, sizeof(*n));
	n->t.pid = pid;
	n->t.listed = t->mode != TRACK_INTERPRETERS;
	n->stays = t->children;
	HASH_ADD_INT(t->nodes, t.pid, n);
	return n;
}

/* What is in a process is known for good only when it ends. */
void node_count_kind(struct tracker_sum *sum, const struct target *target)
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

void node_free(struct tracker *t, struct node *n)
{
	if (n->t.counted)
		t->sum.live--;
	node_count_kind(&t->sum, &n->t);
	node_rank(t, n);
	target_drop_run(&t->env, &n->t);
	t->bytes -= n->backlog.bytes;
	backlog_release(&n->backlog, t->pages);
	space_release(n->space);
	free(n);
}

void node_name(struct node *n, const struct sample *s)
{
	if (!n->text)
		n->text = xstrndup(s->comm, COMM_LEN);
}

void node_rank(struct tracker *t, struct node *n)
{
	struct tracker_program p = { n->t.pid, n->samples, n->text };

	n->text = NULL;
	n->samples = 0;
	t->sum.programs += p.samples > 0;
	for (size_t i = 0; i < TRACKER_TOP; i++) {
		struct tracker_program here = t->sum.top[i];

		if (here.samples >= p.samples)
			continue;
		t->sum.top[i] = p;
		p = here;
	}
	free(p.command);
}

void node_count_seen(struct tracker *t, struct node *n)
{
	if (n->t.counted)
		return;
	n->t.counted = true;
	t->sum.seen++;
	t->sum.live++;
}

/* Are there frames that are not known for want of what a look will find? */
static bool is_urgent(const struct node *n)
{
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (n->t.walker[i] == WALKER_WAITING && walkers[i]->process_map)
			return true;
	return false;
}

/* Is all that a look can find whether the interpreter is what its file says?  Its frames
 * are shown meanwhile.  That takes a search of the memory, and there are programs that
 * map a library and never use it. */
static bool is_idle(const struct node *n)
{
	bool any = false;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (n->t.walker[i] == WALKER_UNPROVEN)
			return false;
		any |= n->t.walker[i] == WALKER_WAITING;
	}
	return any && !is_urgent(n) && !n->t.partial && !n->refused;
}

void node_schedule(struct node *n, u64 now)
{
	u64 last = is_idle(n) ? IDLE_DELAY : LAST_DELAY;

	if (!n->t.delay)
		n->t.delay = FIRST_DELAY;
	else
		n->t.delay += is_urgent(n) ? n->t.delay / 8 : n->t.delay;
	if (n->t.delay > last)
		n->t.delay = last;
	n->t.due = now + n->t.delay;
}

bool node_is_waiting(const struct node *n)
{
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (n->t.walker[i] == WALKER_WAITING ||
		    n->t.walker[i] == WALKER_UNPROVEN)
			return true;
	return n->t.partial;
}

bool node_is_overtaken(struct node *n, const struct process_entry *entry,
		       u64 now)
{
	if (entry->state != PROCESS_PENDING || entry->serial == n->t.serial) {
		n->overtaken = 0;
		return false;
	}
	if (!n->overtaken)
		n->overtaken = now;
	return now - n->overtaken < NOTICE_LATE;
}

static bool may_be_ours(void *ctx, const struct unwind_mapping *m)
{
	const struct module *module = modules_get(ctx, m->file);

	return !module || modules_walkers(module);
}

bool node_is_stranger(const struct tracker *t, struct node *n, u64 now)
{
	if (n->t.listed || n->t.counted || n->doubtful ||
	    t->mode != TRACK_INTERPRETERS || !n->space ||
	    (n->since && now - n->since > NODE_UNDECIDED) ||
	    space_has_gap(n->space, 0) ||
	    space_any(n->space, may_be_ours, t->env.modules))
		return false;
	if (!n->since)
		n->since = now;
	n->t.dirty = false;
	n->t.due = n->since + NODE_UNDECIDED + MS;
	return true;
}

static void discard(struct tracker *t, struct node *n)
{
	t->sum.discarded += n->backlog.n;
	t->bytes -= n->backlog.bytes;
	backlog_release(&n->backlog, t->pages);
}

void node_let_go(struct tracker *t, struct node *n)
{
	engine_drop_process(t->env.engine, n->t.pid);
	discard(t, n);
	HASH_DEL(t->nodes, n);
	node_free(t, n);
}

void node_ignore(struct tracker *t, struct node *n)
{
	const struct process_entry entry = { .serial = n->t.serial,
					     .state = PROCESS_IGNORED };

	/* All programs that begin are told there. */
	if (t->mode != TRACK_LISTED)
		return node_let_go(t, n);
	/* One that has ended must not get it back. */
	if (n->t.serial)
		engine_change_process(t->env.engine, n->t.pid, &entry);
	else
		engine_put_process(t->env.engine, n->t.pid, &entry);
	target_drop_run(&t->env, &n->t);
	discard(t, n);
	n->t.dirty = false;
	/* It may have ended before it had the entry. */
	n->t.due = !n->ignored;
	n->ignored = true;
}

struct target_run *node_hold(struct node *n)
{
	if (n->t.run)
		n->t.run->users++;
	return n->t.run;
}

static bool is_same(const struct unwind_mapping *a,
		    const struct unwind_mapping *b)
{
	return a->start == b->start && a->end == b->end && a->bias == b->bias &&
	       a->file == b->file;
}

/* Samples from then that still wait may lie in it. */
static void remember(struct node *n, const struct unwind_mapping *m)
{
	const struct space_event e = { .time = n->run_since, .mapping = *m };

	if (!n->space)
		n->space = space_new();
	space_add(n->space, &e);
}

/* Both are sorted. */
static void remember_lost(struct node *n, const struct target_run *before)
{
	const struct target_run *now = n->t.run;
	size_t at = 0;

	for (size_t i = 0; i < before->maps; i++) {
		const struct unwind_mapping *m = &before->mapping[i];

		while (at < now->maps && now->mapping[at].start < m->start)
			at++;
		if (at == now->maps || !is_same(m, &now->mapping[at]))
			remember(n, m);
	}
}

void node_published(struct tracker *t, struct node *n, struct target_run *held)
{
	static const struct area all = AREA_ALL;

	for (size_t i = 0; i < TARGET_PUTS; i++)
		if (n->t.doubtful[i])
			stale_note(&t->stale, n->t.doubtful[i], n->seen, 0,
				   &all);
	if (n->t.run == held)
		return target_release_run(&t->env, held);
	if (held)
		remember_lost(n, held);
	n->run_since = n->seen;
	target_release_run(&t->env, held);
}

void node_walk(struct tracker *t, struct node *n)
{
	struct backlog_view view;
	size_t tables, before = n->backlog.n;

	if (!n->backlog.n)
		return;
	tables = tables_sum(modules_tables(t->env.modules)).made;
	if (n->tables == tables + 1)
		return;
	view = (struct backlog_view){
		.modules = t->env.modules,
		.pages = t->pages,
		.space = n->space,
		.mapping = n->t.run ? n->t.run->mapping : NULL,
		.mappings = n->t.run ? n->t.run->maps : 0,
		.examined = n->examined,
		.seen = n->seen,
		.ended = n->ended,
		.last = t->last,
	};
	t->bytes -= n->backlog.bytes;
	n->t.dirty |= backlog_walk(&n->backlog, &view, &t->sink);
	t->bytes += n->backlog.bytes;
	n->samples += before - n->backlog.n;
	n->tables = tables + 1;
}

void node_decide(struct tracker *t, struct node *n)
{
	u32 bits = 0;

	if (!n->t.counted && !n->backlog.n)
		return;
	for (size_t i = n->space ? n->space->n : 0; i--;) {
		const struct space_event *e = &n->space->event[i];
		const struct module *m;

		if (n->backlog.n && e->time > n->backlog.newest)
			continue;
		if (e->exec)
			break;
		m = modules_get(t->env.modules, e->mapping.file);
		bits |= m ? modules_walkers(m) : 0;
	}
	if (!bits && !n->t.counted && !n->t.listed &&
	    t->mode == TRACK_INTERPRETERS)
		return discard(t, n);
	/* Another's user would be a guess. */
	if (t->options && !n->t.run && !n->examined && n->backlog.n) {
		t->sink.count(t->sink.ctx, HOST_UNCHOSEN);
		return discard(t, n);
	}
	node_count_seen(t, n);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (bits >> i & 1 && n->t.walker[i] == WALKER_ABSENT)
			n->t.walker[i] = WALKER_WAITING;
}

void node_leave(struct tracker *t, struct node *n)
{
	HASH_DEL(t->nodes, n);
	n->ended = true;
	n->tables = 0;
	n->next = t->leaving;
	t->leaving = n;
}

void node_work_leaving(struct tracker *t)
{
	struct node **at = &t->leaving, *n;

	while ((n = *at)) {
		node_decide(t, n);
		node_walk(t, n);
		if (n->backlog.n) {
			at = &n->next;
			continue;
		}
		*at = n->next;
		node_free(t, n);
	}
}
