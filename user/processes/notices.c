/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Notices and samples of the kernel side.  They only update what is known of processes;
 * whatever takes time is left to tracker_work().
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/processes/process.h"
#include "user/processes/tracker.h"
#include "walkers/walker.h"

/* At a fork the kernel side copies the parent's entry.  The parent may have been
 * published anew before the notice of the fork is read.  Returns true when the child
 * has the parent's earlier table and not the present one. */
static bool inherit_outdated(struct tracker *t, struct process *p)
{
	const struct mapping_table *table = p->table;
	struct process_entry entry = { 0 };
	struct mapping_table *outdated;

	if (!table || engine_get_process(t->config.engine, p->pid, &entry) ||
	    entry.serial != p->serial ||
	    (entry.maps_first == table->first && entry.maps == table->maps))
		return false;
	outdated = mapping_table_find_dropped(t, entry.maps_first, entry.maps);
	if (!outdated)
		return true;
	outdated->users++;
	mapping_table_drop(t, &p->table);
	p->table = outdated;
	return true;
}

/* The child shares what its parent has; the kernel side has made its entry already. */
static void inherit(struct process *child, const struct process *parent)
{
	child->table = parent->table;
	if (child->table)
		child->table->users++;
	memcpy(child->walker, parent->walker, sizeof(child->walker));
	child->counted = false;
}

/* parent may be NULL. */
static void process_forked(struct tracker *t, const struct process *parent,
			   const struct notice *notice)
{
	struct process *child;
	bool is_outdated;

	/* A child without an entry is not sampled: nothing needs to be known of it. */
	if (!notice->process && !heap_fits(HEAP_PROCESSES, 0))
		return t->config.sink.count(t->config.sink.ctx, HOST_PROCESSES);
	child = process_get(t, notice->arg);
	if (child->table || child->ignored)
		return;
	child->ignored = parent && parent->ignored;
	child->serial = notice->process;
	if (!parent) {
		child->dirty = true;
		return;
	}
	inherit(child, parent);
	child->table_from = child->table_since = notice->time;
	if (parent->text && !child->text)
		process_inherit(child, parent);
	is_outdated = inherit_outdated(t, child);
	if (!is_outdated) {
		child->examined = parent->examined;
		child->seen = parent->seen;
	}
	if (child->table &&
	    (is_outdated ? parent->replacements > 0
			 : process_is_replaced(parent, parent->serial, ~0ull)))
		process_replaced(child, notice->time);
	map_history_copy(&child->history, &parent->history, 0);
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

/* The new program's first mappings may be in the history of the earlier one, which may be
 * NULL, already. */
static void process_execed(struct tracker *t, struct process *earlier,
			   const struct notice *notice)
{
	struct process *p;

	if (notice->pid == (u32)getpid())
		return;
	if (earlier)
		process_leave(t, earlier);
	p = process_get(t, notice->pid);
	if (earlier) {
		p->counted = hand_on_count(earlier);
		p->stays = earlier->stays;
		map_history_copy(&p->history, &earlier->history, notice->time);
	}
	p->serial = notice->process;
	p->dirty = true;
	p->refused = !notice->process;
	if (t->config.mode == TRACK_LISTED && !p->stays)
		process_ignore(t, p);
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
	t->config.sink.count(t->config.sink.ctx, LOST_NO_MEMORY);
	return false;
}

void tracker_deferred(void *tracker, struct sample *s, size_t len)
{
	struct tracker *t = tracker;
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
	deferred_add(t, p, s, len);
	p->tables = 0;
}

void tracker_notice(void *tracker, const struct notice *n)
{
	struct tracker *t = tracker;
	struct process *p = process_find(t, n->pid);

	switch (n->kind) {
	case NOTICE_FORK:
		process_forked(t, p, n);
		break;
	case NOTICE_EXEC:
		process_execed(t, p, n);
		break;
	case NOTICE_EXIT:
		if (p)
			p->ended = true;
		break;
	case NOTICE_UNMAPPED:
		if (p)
			p->dirty = true;
		break;
	}
}
