/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the kernel side told of processes: the tracker's registry follows.  Whatever
 * takes time is only noted, and done by tracker_work().
 */
#include <unistd.h>

#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/processes/node.h"
#include "user/processes/space.h"
#include "user/processes/tracker.h"
#include "walkers/walker.h"

/* The kernel side copies what it knows of the parent, which may have been told anew
 * before we read of the fork.  Has it? */
static bool inherit_outdated(const struct tracker *t, struct node *n)
{
	const struct target_run *run = n->t.run;
	struct process_entry entry = { 0 };

	if (!run || engine_get_process(t->env.engine, n->t.pid, &entry) ||
	    entry.serial != n->t.serial ||
	    (entry.maps_first == run->first && entry.maps == run->maps))
		return false;
	target_inherit_dropped(&t->env, &n->t, &entry);
	return true;
}

static void process_forked(struct tracker *t, const struct notice *notice)
{
	struct node *parent = node_find(t, notice->pid);
	struct node *child = node_get(t, notice->arg);
	bool is_outdated;

	if (child->t.run || child->ignored)
		return;
	child->ignored = parent && parent->ignored;
	child->t.serial = notice->process;
	if (!parent) {
		child->t.dirty = true;
		return;
	}
	target_inherit(&child->t, &parent->t);
	if (parent->text && !child->text)
		child->text = xstrdup(parent->text);
	is_outdated = inherit_outdated(t, child);
	if (!parent->t.run && parent->space)
		child->space = space_copy(parent->space);
	child->refused = !notice->process;
	/* Nobody knows yet what its parent is; or it has no entry, or one with what its
	 * parent has no more. */
	child->t.dirty = !parent->t.counted || child->refused || is_outdated ||
			 child->ignored;
	if (!parent->t.counted || child->ignored)
		return;
	if (!child->refused)
		node_count_seen(t, child);
	if (node_is_waiting(child))
		node_schedule(child, notice->time);
}

/* A process counts once, unless an interpreter was in what it ran before. */
static bool hand_on_count(struct node *n)
{
	bool counted = n->t.counted;

	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (n->t.walker[i] != WALKER_ABSENT)
			return false;
	n->t.counted = false;
	return counted;
}

/* For the program that the process begins at that time: what that maps may have been told
 * already.  What was before is forgotten unless samples wait that are walked by it; no
 * more of them will come. */
static struct space *hand_on_space(struct node *n, u64 time)
{
	if (!n->space)
		return NULL;
	if (n->space->users == 1 && !n->backlog.n)
		space_forget(n->space, time);
	return space_share(n->space);
}

static void process_execed(struct tracker *t, const struct notice *notice)
{
	struct node *n = node_find(t, notice->pid);
	struct space *space = NULL;
	bool counted = false, stays = t->children;

	if (notice->pid == (u32)getpid())
		return;
	if (n) {
		space = hand_on_space(n, notice->time);
		counted = hand_on_count(n);
		stays = n->stays;
		node_leave(t, n);
	}
	n = node_get(t, notice->pid);
	n->t.counted = counted;
	n->space = space;
	n->stays = stays;
	n->t.serial = notice->process;
	n->t.dirty = true;
	n->refused = !notice->process;
	if (t->mode == TRACK_LISTED && !stays)
		node_ignore(t, n);
}

static void process_exited(struct tracker *t, const struct notice *notice)
{
	struct node *n = node_find(t, notice->pid);

	if (n)
		n->ended = true;
}

/* It runs where nothing is known to be. */
static void process_strayed(struct tracker *t, const struct notice *notice)
{
	struct node *n = node_find(t, notice->pid);

	if (n)
		n->t.dirty = true;
}

void tracker_sampled(struct tracker *t, const struct sample *s)
{
	struct node *n = node_find(t, s->pid);

	if (!n)
		return;
	node_name(n, s);
	n->samples++;
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
	case NOTICE_GONE:
		tracker_gone(t, n);
		break;
	case NOTICE_UNMAPPED:
		process_strayed(t, n);
		break;
	}
}
