/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Closes modules.  An id may be in use by: 1. mappings of live processes and the tables
 * for them (both known to tables.c); 2. records still to be read and deferred samples
 * (younger than the time that the caller gives); 3. counted stacks, until they are
 * named; 4. map histories (map_history.c), which the caller clears.
 *
 * Files on our own mounts (own_mounts.h), which the host's programs share, stay open
 * unless they are deleted.  Their tables are then there for the next program.
 *
 * Naming stacks takes time.  For this purpose it is done rarely: while there is still
 * room for files, it may take a thousandth of the time, but is done at least every five
 * minutes.
 */
#include <stdlib.h>

#include <bpf/bpf.h>

#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/clock.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/files/registry.h"
#include "user/files/tables_entry.h"
#include "walkers/walker.h"

#define SECOND	   1000000000ull
#define SPARE_PART 8		 /* an eighth of the ids is freed at once */
#define UNUSED	   (60 * SECOND) /* ns without use, before a file is closed */
#define SWEEP	   (10 * SECOND) /* ns between rounds of closing */
#define NAMING	   (10 * SECOND) /* ns between namings of all stacks */
#define NAMING_OF  1000		 /* pause, as a multiple of naming's time */
#define MOST_PAUSE (300 * SECOND)

bool modules_crowded(const struct modules *ms)
{
	return ms->lacking || ms->limit - ms->used <= ms->limit / SPARE_PART ||
	       !heap_fits(HEAP_FILES, 0);
}

/* A module that could be closed. */
struct candidate {
	u64 used;
	u32 id;
};

static int compare_used(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

/* The modules that can be closed, malloc'ed.  sampled: how many more there would be if
 * no stack had a frame in them. */
static struct candidate *find_over(const struct modules *ms, u64 time,
				   bool crowded, size_t *n, size_t *sampled)
{
	struct candidate *found = xcalloc(ms->n, sizeof(*found));

	*n = *sampled = 0;
	for (u32 id = 1; id < ms->n; id++) {
		const struct module_entry *e = ms->by_id[id];
		const struct table_entry *table = &ms->tables->entry[id];

		if (!e || table->maps || table->used >= time ||
		    (!crowded && own_mounts_has(&ms->own_mounts, e->m.fd)))
			continue;
		if (table->sampled)
			++*sampled;
		else
			found[(*n)++] = (struct candidate){ table->used, id };
	}
	return found;
}

static void forget_walker_files(struct modules *ms, const struct module *m)
{
	u32 id = m->id;

	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (ms->engine && m->walker[i] && walkers[i]->file.map)
			bpf_map_delete_elem(
				engine_map(ms->engine, walkers[i]->file.map),
				&id);
}

static void retire(struct modules *ms, struct module_entry *e)
{
	forget_walker_files(ms, &e->m);
	tables_forget(ms->tables, e->m.id);
	ms->by_id[e->m.id] = NULL;
	ms->used--;
	ms->n_code -= e->m.code != NULL;
	ms->sum.retired++;
	log_debug("%s: closed, nobody maps it", e->m.path);
	registry_unmap(ms, e);
	HASH_DEL(ms->by_key, e);
	registry_free(ms, e);
}

/* ns: when stacks may be named so that unused files can be closed. */
static u64 naming_due(const struct modules *ms)
{
	u64 pause = ms->naming * NAMING_OF;

	if (!ms->named)
		return 0;
	if (pause < NAMING)
		pause = NAMING;
	return ms->named + (pause < MOST_PAUSE ? pause : MOST_PAUSE);
}

bool modules_may_retire(const struct modules *ms, u64 now)
{
	return now >= ms->next_sweep;
}

u64 modules_due(const struct modules *ms)
{
	u64 since = ms->tables->over_since, due;

	if (since == ~0ull)
		return since;
	due = since + UNUSED;
	if (due < ms->next_sweep)
		due = ms->next_sweep;
	if (ms->unnamed && due < naming_due(ms))
		due = naming_due(ms);
	return due;
}

static void name_all(struct modules *ms, u64 now, void (*name)(void *ctx),
		     void *ctx)
{
	u64 start = now_ns();

	name(ctx);
	for (size_t i = 0; i < ms->tables->n; i++)
		ms->tables->entry[i].sampled = false;
	ms->named = now;
	ms->naming = now_ns() - start;
}

size_t modules_retire(struct modules *ms, const struct modules_time *time,
		      void (*name)(void *ctx), void *ctx)
{
	bool crowded = modules_crowded(ms);
	size_t most = crowded ? ms->limit / SPARE_PART + 1 : ms->n;
	u64 before = time->settled, unused;
	size_t n, sampled;
	struct candidate *found;

	unused = time->now > UNUSED ? time->now - UNUSED : 0;
	if (!crowded && unused < before)
		before = unused;
	found = find_over(ms, before, crowded, &n, &sampled);
	if (n < most && sampled &&
	    time->now >= (crowded ? ms->named + NAMING : naming_due(ms))) {
		name_all(ms, time->now, name, ctx);
		free(found);
		found = find_over(ms, before, crowded, &n, &sampled);
	}
	qsort(found, n, sizeof(*found), compare_used);
	if (n > most)
		n = most;
	for (size_t i = 0; i < n; i++)
		retire(ms, ms->by_id[found[i].id]);
	free(found);
	ms->lacking = false;
	tables_review(ms->tables);
	ms->next_sweep = time->now + SWEEP;
	ms->unnamed = !crowded && sampled;
	return n;
}
