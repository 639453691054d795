/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Closes modules.  An id may be in use by: 1. mappings of live processes and the tables
 * for them (both known to tables.c); 2. records still to be read and deferred samples
 * (younger than the time that the caller gives); 3. counted stacks, until they are
 * named; 4. map histories (map_history.c), which the caller clears.
 *
 * Files of programs that are expected to run stay open, so that their tables are there
 * when such a program begins (prefetch.c).
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
#define ROUND	   (10 * SECOND) /* ns between rounds of closing */
#define CROWDED	   (SECOND / 5)	 /* the same, when crowded */
#define NAMING	   (10 * SECOND) /* ns between namings of all stacks */
#define NAMING_OF  1000		 /* pause, as a multiple of naming's time */
#define MOST_PAUSE (300 * SECOND)

bool modules_crowded(const struct modules *ms)
{
	u32 max = ms->config.max;

	return max - ms->used <= max / SPARE_PART || !heap_fits(HEAP_FILES, 0);
}

static int by_use(const void *a, const void *b, void *entries)
{
	const struct table_entry *entry = entries;
	u64 x = entry[*(const u32 *)a].used, y = entry[*(const u32 *)b].used;

	return (x > y) - (x < y);
}

/* The modules that nobody maps. */
struct over {
	u32 *found; /* ids of those that can be closed */
	size_t n;
	size_t sampled; /* how many more could be, if no stack had a frame in them */
	size_t others; /* were used since */
};

static struct over find_over(const struct modules *ms, u64 time, bool crowded)
{
	struct over o = { .found = xcalloc(ms->n, sizeof(*o.found)) };

	for (u32 id = 1; id < ms->n; id++) {
		const struct module_entry *e = ms->by_id[id];
		const struct table_entry *table = &ms->tables->entry[id];

		if (!e || table->maps || (!crowded && table->expected))
			continue;
		if (table->used >= time)
			o.others++;
		else if (table->sampled)
			o.sampled++;
		else
			o.found[o.n++] = id;
	}
	qsort_r(o.found, o.n, sizeof(*o.found), by_use, ms->tables->entry);
	return o;
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
	ms->sum.retired++;
	log_debug("%s: closed, nobody maps it", e->m.path);
	registry_unmap(ms, e);
	HASH_DEL(ms->by_key, e);
	registry_free(ms, e);
}

bool modules_may_retire(const struct modules *ms, u64 now)
{
	return now >= ms->retired + (modules_crowded(ms) ? CROWDED : ROUND);
}

u64 modules_due(const struct modules *ms)
{
	return ms->tables->unmapped ? ms->retired + ROUND : 0;
}

static void name_all(struct modules *ms, u64 now)
{
	u64 start = now_ns(), pause;

	ms->config.name(ms->config.ctx);
	for (size_t i = 0; i < ms->tables->n; i++)
		ms->tables->entry[i].sampled = false;
	pause = (now_ns() - start) * NAMING_OF;
	ms->named = now;
	ms->pause = pause < NAMING	 ? NAMING
		    : pause < MOST_PAUSE ? pause
					 : MOST_PAUSE;
}

size_t modules_retire(struct modules *ms, u64 now, u64 settled)
{
	bool crowded = modules_crowded(ms);
	size_t most = crowded ? ms->config.max / SPARE_PART + 1 : ms->n, n;
	u64 unused = now > UNUSED ? now - UNUSED : 0;
	u64 before = !crowded && unused < settled ? unused : settled;
	struct over over = find_over(ms, before, crowded);

	if (over.n < most && over.sampled &&
	    now >= ms->named + (crowded ? NAMING : ms->pause)) {
		name_all(ms, now);
		free(over.found);
		over = find_over(ms, before, crowded);
	}
	n = over.n < most ? over.n : most;
	for (size_t i = 0; i < n; i++)
		retire(ms, ms->by_id[over.found[i]]);
	free(over.found);
	ms->tables->unmapped = over.n > n || over.sampled || over.others;
	ms->retired = now;
	return n;
}
