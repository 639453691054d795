/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Notices and samples of the kernel side.  They only update what is known of processes;
 * whatever takes time is left to tracker_work().
 */
#include <stdlib.h>
#include <unistd.h>

#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/processes/process.h"
#include "user/processes/map_history.h"
#include "user/processes/tracker.h"
#include "walkers/walker.h"

/* At a fork the kernel side copies the parent's entry.  The parent may have been
 * published anew before the notice of the fork is read.  Returns true when the child
 * has the parent's earlier table and not the present one. */
static bool inherit_outdated(const struct tracker *t, struct process *p)
{
	const struct mapping_table *table = p->table;
	struct process_entry entry = { 0 };
	struct mapping_table *outdated;

	if (!table || engine_get_process(t->env.engine, p->pid, &entry) ||
	    entry.serial != p->serial ||
	    (entry.maps_first == table->first && entry.maps == table->maps))
		return false;
	outdated = mapping_table_find_dropped(&t->env, entry.maps_first,
					      entry.maps);
	if (!outdated)
		return true;
	outdated->users++;
	mapping_table_drop(&t->env, &p->table);
	p->table = outdated;
	return true;
}

static void process_forked(struct tracker *t, const struct notice *notice)
{
	struct process *parent = process_find(t, notice->pid), *child;
	bool is_outdated;

	/* A child without an entry is not sampled: nothing needs to be known of it. */
	if (!notice->process && !heap_fits(HEAP_PROCESSES, 0))
		return t->sink.count(t->sink.ctx, HOST_PROCESSES);
	child = process_get(t, notice->arg);
	if (child->table || child->ignored)
		return;
	child->ignored = parent && parent->ignored;
	child->serial = notice->process;
	if (!parent) {
		child->dirty = true;
		return;
	}
	process_inherit(child, parent);
	child->table_from = child->table_since = notice->time;
	if (parent->text && !child->text)
		child->text = xstrdup(parent->text);
	is_outdated = inherit_outdated(t, child);
	if (!is_outdated) {
		child->examined = parent->examined;
		child->seen = parent->seen;
	}
	if (child->table &&
	    (is_outdated ? parent->replacements > 0
			 : process_is_replaced(parent, parent->serial, ~0ull)))
		process_replaced(child, notice->time);
	if (parent->history)
		child->history = map_history_copy(parent->history);
	child->refused = !notice->process;
	/* Examine the child when its parent is not known well enough, when the child
	 * has no entry, or when the child's entry holds what the parent no longer
	 * has. */
	child->dirty |= !parent->counted || child->refused || is_outdated ||
			child->ignored;
	if (!parent->counted || child->ignored)
		return;
	if (!child->refused)
		process_count_seen(t, child);
	if (process_is_waiting(child))
		process_schedule(child, notice->time);
}

/* A process counts once for all its programs, unless the earlier program held an
 * interpreter. */
static bool hand_on_count(struct process *p)
{
	bool counted = p->counted;

	if (process_walkers(p, ~(1u << WALKER_ABSENT)))
		return false;
	p->counted = false;
	return counted;
}

/* Hand the history on to the program that the process begins at that time, because its
 * first mappings may be in there already.  The events before are forgotten unless
 * deferred samples need them; no more samples of the earlier program will come. */
static struct map_history *hand_on_history(struct process *p, u64 time)
{
	if (!p->history)
		return NULL;
	if (p->history->users == 1 && !p->deferred.n)
		map_history_forget(p->history, time);
	return map_history_share(p->history);
}

static void process_execed(struct tracker *t, const struct notice *notice)
{
	struct process *p = process_find(t, notice->pid);
	struct map_history *history = NULL;
	bool counted = false, stays = t->children;

	if (notice->pid == (u32)getpid())
		return;
	if (p) {
		history = hand_on_history(p, notice->time);
		counted = hand_on_count(p);
		stays = p->stays;
		process_leave(t, p);
	}
	p = process_get(t, notice->pid);
	p->counted = counted;
	p->history = history;
	p->stays = stays;
	p->serial = notice->process;
	p->dirty = true;
	p->refused = !notice->process;
	if (t->mode == TRACK_LISTED && !stays)
		process_ignore(t, p);
}

static void process_exited(struct tracker *t, const struct notice *notice)
{
	struct process *p = process_find(t, notice->pid);

	if (p)
		p->ended = true;
}

/* The process runs at an address where no mapping is known. */
static void process_strayed(struct tracker *t, const struct notice *notice)
{
	struct process *p = process_find(t, notice->pid);

	if (p)
		p->dirty = true;
}

bool tracker_sampled(struct tracker *t, const struct sample *s)
{
	struct process *p = process_find(t, s->pid);

	if (!p)
		return true;
	process_name(p, s);
	p->samples += s->weight;
	return !process_is_replaced(p, s->process, s->time);
}

/* Whether the sample is wanted, and there is room for it.  p may be NULL. */
static bool has_room(struct tracker *t, const struct process *p)
{
	if (p && p->ignored) {
		t->sum.discarded++;
		return false;
	}
	if (heap_fits(HEAP_SAMPLES, 0))
		return true;
	t->sink.count(t->sink.ctx, LOST_NO_MEMORY);
	return false;
}

void tracker_deferred(struct tracker *t, struct sample *s, size_t len)
{
	struct process *p = process_find(t, s->pid);

	if (!has_room(t, p))
		return free(s);
	if (!p) {
		p = process_get(t, s->pid);
		p->dirty = true;
	}
	process_name(p, s);
	if (s->status == CUT_NO_MAPPING && p->examined <= s->time)
		p->dirty = true;
	deferred_add(&p->deferred, s, len);
	p->tables = 0;
	t->bytes += len;
	if (t->bytes > t->sum.most_bytes)
		t->sum.most_bytes = t->bytes;
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
		process_strayed(t, n);
		break;
	}
}
