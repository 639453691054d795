/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Closes modules.  An id may be in use by: 1. mappings of live processes and the tables
 * for them (both known to tables.c); 2. records still to be read and deferred samples
 * (younger than the time that the caller gives); 3. counted stacks, until they are
 * named; 4. map histories (map_history.c), which the caller clears.
 *
 * Files on the mounts that jpbpf runs from, which the host's programs share, stay open
 * unless they are deleted.  They keep nothing mounted that could go, and their tables are
 * there for the next program.  Files open on a mount keep that mount busy, but not other
 * mounts of the same file system.  So mounts are compared, not devices.
 *
 * Naming stacks takes time.  For this purpose it is done rarely: while there is still
 * room for files, it may take a thousandth of the time, but is done at least every five
 * minutes.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

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

/* The mount of the file; 0: not known, or the file is deleted. */
static u64 mount_of(int folder, const char *path)
{
	struct statx st;

	if (statx(folder, path, AT_EMPTY_PATH, STATX_MNT_ID | STATX_NLINK,
		  &st) ||
	    !(st.stx_mask & STATX_MNT_ID) || !st.stx_nlink)
		return 0;
	return st.stx_mnt_id;
}

/* Whether the file is on a mount that stays as long as this program runs. */
static bool is_at_home(const struct module *m)
{
	u64 mount = m->fd < 0 ? 0 : mount_of(m->fd, "");

	return mount && (mount == mount_of(AT_FDCWD, "/") ||
			 mount == mount_of(AT_FDCWD, "/proc/self/exe"));
}

bool modules_crowded(const struct modules *ms)
{
	u32 max = ms->config.max;

	return max - ms->used <= max / SPARE_PART || !heap_fits(HEAP_FILES, 0);
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

/* The modules that nobody maps. */
struct over {
	struct candidate *found; /* can be closed */
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

		if (!e || table->maps || (!crowded && is_at_home(&e->m)))
			continue;
		if (table->used >= time)
			o.others++;
		else if (table->sampled)
			o.sampled++;
		else
			o.found[o.n++] = (struct candidate){ table->used, id };
	}
	qsort(o.found, o.n, sizeof(*o.found), compare_used);
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
	return now >= ms->retired + (modules_crowded(ms) ? CROWDED : ROUND);
}

u64 modules_due(const struct modules *ms)
{
	return ms->tables->unmapped ? ms->retired + ROUND : ~0ull;
}

static void name_all(struct modules *ms, u64 now)
{
	u64 start = now_ns();

	ms->config.name(ms->config.ctx);
	for (size_t i = 0; i < ms->tables->n; i++)
		ms->tables->entry[i].sampled = false;
	ms->named = now;
	ms->naming = now_ns() - start;
}

size_t modules_retire(struct modules *ms, u64 now, u64 settled)
{
	bool crowded = modules_crowded(ms);
	size_t most = crowded ? ms->config.max / SPARE_PART + 1 : ms->n, n;
	u64 unused = now > UNUSED ? now - UNUSED : 0;
	u64 before = !crowded && unused < settled ? unused : settled;
	struct over over = find_over(ms, before, crowded);

	if (over.n < most && over.sampled &&
	    now >= (crowded ? ms->named + NAMING : naming_due(ms))) {
		name_all(ms, now);
		free(over.found);
		over = find_over(ms, before, crowded);
	}
	n = over.n < most ? over.n : most;
	for (size_t i = 0; i < n; i++)
		retire(ms, ms->by_id[over.found[i].id]);
	free(over.found);
	ms->tables->unmapped = over.n > n || over.sampled || over.others;
	ms->retired = now;
	return n;
}
