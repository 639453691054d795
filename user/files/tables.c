/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The arena has a limit.  A table that does not fit takes the place of others: first of
 * those that no live process maps and nobody has looked up lately, then of those used
 * least recently.  A table is used when a sampled stack has a frame in its file, or
 * when a deferred sample is walked with it.
 *
 * The kernel side may be reading a table that is dropped.  So only its number of chunks
 * becomes 0, which a walk reads first and once.  A walk that has read it already finds
 * the chunks unchanged until arena_sync() says that there is no such walk any more.  A
 * rebuilt table is the same as before, so a walk that mixes both is right as well.
 *
 * Samples that need a dropped table are deferred (bpf/defer.bpf.c), and walking them
 * asks for the table.  When the running programs need more tables than there is room
 * for, this would go round in circles.  Building then pauses, so that it takes about a
 * tenth of a CPU.
 */
#include "user/files/tables.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/files/builder.h"
#include "user/kernel/engine.h"
#include "user/files/tables_entry.h"
#include "user/elf/module.h"
#include "user/unwind/arena.h"
#include "user/unwind/cfi.h"
#include "user/unwind/table.h"
#include "walkers/walker.h"

#define SPARE_CHUNKS  1024
#define BATCH	      64	     /* tables in memory at once */
#define CROWDED_BATCH 4		     /* the same, when crowded */
#define IDLE	      1000000000ull  /* ns unused: then it is idle */
#define PAUSE	      10	     /* times the building time */
#define LEAST_PAUSE   50000000ull    /* ns */
#define CROWDED	      10000000000ull /* ns: after the last drop */

struct tables *tables_new(struct arena *a)
{
	struct tables *t = xcalloc(1, sizeof(*t));

	t->arena = a;
	t->over_since = ~0ull;
	return t;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	free(t->entry);
	free(t->wanted);
	free(t);
}

static struct table_entry *next_entry(struct tables *t)
{
	t->entry = xgrow(t->entry, t->n, &t->capacity, sizeof(*t->entry));
	return &t->entry[t->n++];
}

void tables_add(struct tables *t, struct module *m, bool stays)
{
	struct table_entry *e = m->id < t->n ? &t->entry[m->id] : next_entry(t);

	*e = (struct table_entry){ .m = m, .used = now_ns(), .stays = stays };
	tables_may_be_over(t, e);
}

void tables_add_none(struct tables *t, u32 status)
{
	/* The entry looks like that of a table that could not be built. */
	*next_entry(t) =
		(struct table_entry){ .file.rules = status, .wanted = true };
}

static void show(const struct tables *t, size_t id)
{
	if (t->engine)
		engine_put_file(t->engine, id, &t->entry[id].file);
}

void tables_bind(struct tables *t, struct engine *e)
{
	t->engine = e;
	for (size_t i = 0; i < t->n; i++)
		show(t, i);
}

static void want(struct tables *t, u32 id)
{
	struct table_entry *e = &t->entry[id];

	if (e->wanted)
		return;
	e->wanted = true;
	t->wanted = xgrow(t->wanted, t->n_wanted, &t->wanted_capacity,
			  sizeof(*t->wanted));
	t->wanted[t->n_wanted++] = id;
}

void tables_want(struct tables *t, u32 id)
{
	/* When room is short, only tables that samples need are built. */
	if (!tables_crowded(t))
		want(t, id);
}

static bool is_idle(const struct table_entry *e, u64 now)
{
	return !e->maps && now - e->used > IDLE;
}

/* Whether a is to be dropped before b. */
static bool is_staler(const struct table_entry *a, const struct table_entry *b,
		      u64 now)
{
	bool idle = is_idle(a, now);

	return idle != is_idle(b, now) ? idle : a->used < b->used;
}

/* The table that is needed least, except those of the batch being stored. */
static struct table_entry *find_victim(const struct tables *t, u64 now)
{
	struct table_entry *found = NULL;

	for (size_t i = 0; i < t->n; i++) {
		struct table_entry *e = &t->entry[i];

		if (e->file.chunks && e->used < t->batch &&
		    (!found || is_staler(e, found, now)))
			found = e;
	}
	return found;
}

/* Take the table away from the kernel side. */
static void hide(struct tables *t, struct table_entry *e)
{
	struct unwind_file file = e->file;

	e->file = (struct unwind_file){ 0 };
	show(t, e - t->entry);
	if (file.chunks)
		table_drop(t->arena, &file);
}

void tables_forget(struct tables *t, u32 id)
{
	struct table_entry *e = &t->entry[id];
	size_t n = 0;

	hide(t, e);
	for (size_t i = 0; e->wanted && i < t->n_wanted; i++)
		if (t->wanted[i] != id)
			t->wanted[n++] = t->wanted[i];
	if (e->wanted)
		t->n_wanted = n;
	*e = (struct table_entry){ .wanted = true };
}

static void drop(struct tables *t, struct table_entry *e, u64 now)
{
	if (!is_idle(e, now))
		t->crowded = now;
	hide(t, e);
	e->wanted = false;
	e->dropped = true;
	t->sum.dropped++;
	log_debug("%s: unwind table dropped: no room", e->m->path);
}

/* Drop tables of at least so many chunks together, or all.  Returns false when there
 * are none. */
static bool drop_some(struct tables *t, u32 chunks)
{
	u64 now = now_ns();
	u32 dropped = 0;
	struct table_entry *e;

	while (dropped < chunks && (e = find_victim(t, now))) {
		dropped += e->chunks;
		drop(t, e, now);
	}
	return dropped > 0;
}

/* Make sure that a run of so many chunks can be allocated.  0, -EAGAIN: later, or
 * -errno. */
static int fit(struct tables *t, u32 chunks)
{
	int err = arena_reserve(t->arena, chunks);
	bool more = true;

	if (err != -ENOSPC || chunks > arena_limit(t->arena))
		return err;
	if (arena_sync(t->arena))
		err = arena_reserve(t->arena, chunks);
	/* Dropped chunks need not be adjacent: it may take more of them. */
	while (err == -ENOSPC && more) {
		more = drop_some(t, chunks);
		if (!arena_sync(t->arena))
			return -EAGAIN;
		err = arena_reserve(t->arena, chunks);
	}
	return err;
}

int tables_alloc(struct tables *t, u32 chunks, u32 *first)
{
	int err;

	t->batch = now_ns();
	err = fit(t, chunks);
	return err ? err : arena_alloc(t->arena, chunks, first);
}

/* Whether no table is in the arena. */
static bool is_alone(const struct tables *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->entry[i].file.chunks)
			return false;
	return true;
}

static bool is_interpreter(const struct module *m)
{
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (m->walker[i])
			return true;
	return false;
}

/* Put the built table into the arena.  Returns 0, or the status that says why not. */
static u32 place(struct tables *t, struct table_entry *e,
		 const struct builder_job *job)
{
	int err = job->err;

	if (err) {
		log_debug("%s: no unwind table: %s", e->m->path,
			  strerror(-err));
		return CUT_NO_TABLE;
	}
	e->chunks = table_chunks(&job->table);
	err = fit(t, e->chunks);
	if (!err)
		err = table_store(t->arena, &job->table, &e->file);
	if (!err)
		return 0;
	t->sum.refused++;
	log_debug("%s: no room for its unwind table", e->m->path);
	/* Other tables of this batch may be in the way: then try again later. */
	return e->chunks <= arena_limit(t->arena) &&
			       (err == -EAGAIN || !is_alone(t))
		       ? CUT_NOT_READY
		       : CUT_NO_ROOM;
}

static void refuse(struct tables *t, struct table_entry *e, u32 status)
{
	e->file = (struct unwind_file){ .rules = status };
	if (status != CUT_NOT_READY)
		return;
	e->file.rules = 0;
	e->wanted = false;
	t->crowded = now_ns();
}

/* Put a finished table where the kernel side finds it. */
static void store(struct tables *t, const struct builder_job *job)
{
	struct table_entry *e = &t->entry[job->module->id];
	u32 status = place(t, e, job);

	t->sum.made++;
	if (status) {
		refuse(t, e, status);
	} else {
		e->used = now_ns();
		t->sum.rows += job->table.rows;
		t->sum.tables++;
		t->sum.rebuilt += e->dropped;
		e->dropped = false;
	}
	e->asked = false;
	/* What was read of a file without an interpreter is mostly not needed again. */
	if (!is_interpreter(e->m))
		module_rest(e->m);
	show(t, job->module->id);
}

/* Store the tables that the jobs made. */
static void store_all(struct tables *t, struct builder_job *job, size_t n)
{
	u32 chunks = 0;

	for (size_t i = 0; i < n; i++)
		if (!job[i].err)
			chunks += table_chunks(&job[i].table);
	/* One grace period covers all new segments.  A few chunks more serve the
	 * processes' mapping tables. */
	if (chunks)
		arena_reserve(t->arena, chunks + SPARE_CHUNKS);
	for (size_t i = 0; i < n; i++) {
		store(t, &job[i]);
		cfi_release(&job[i].table);
	}
}

/* Build the first n wanted tables. */
static void build(struct tables *t, size_t n)
{
	struct builder_job *job = xcalloc(n, sizeof(*job));

	for (size_t i = 0; i < n; i++)
		job[i].module = t->entry[t->wanted[i]].m;
	t->n_wanted -= n;
	if (t->n_wanted)
		memmove(t->wanted, t->wanted + n,
			t->n_wanted * sizeof(*t->wanted));
	builder_run(job, n);
	t->batch = now_ns();
	store_all(t, job, n);
	free(job);
}

/* Put the wanted tables that samples wait for first.  Returns their number. */
static size_t put_asked_first(struct tables *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_wanted; i++) {
		u32 id = t->wanted[i];

		if (!t->entry[id].asked)
			continue;
		t->wanted[i] = t->wanted[n];
		t->wanted[n++] = id;
	}
	return n;
}

/* Keep only those wanted tables that samples wait for. */
static void keep_asked(struct tables *t)
{
	size_t n = put_asked_first(t);

	for (size_t i = n; i < t->n_wanted; i++)
		t->entry[t->wanted[i]].wanted = false;
	t->n_wanted = n;
}

/* Tables in use had to be dropped between start and end (ns): pause building. */
static void pause_after(struct tables *t, u64 start, u64 end)
{
	u64 pause = (end - start) * PAUSE;

	if (!t->hurry)
		t->pause = end + (pause > LEAST_PAUSE ? pause : LEAST_PAUSE);
	keep_asked(t);
}

int tables_build(struct tables *t, size_t max)
{
	size_t asked = put_asked_first(t), left = asked ? asked : t->n_wanted;
	u64 start = now_ns(), end;

	if (max && max < left)
		left = max;
	if (!left)
		return -1;
	if (start < t->pause)
		return (t->pause - start) / 1000000 + 1;
	while (left && t->crowded < start) {
		size_t most = t->crowded ? CROWDED_BATCH : BATCH;
		size_t n = left < most ? left : most;

		build(t, n);
		left -= n;
	}
	/* The heap does not give back by itself what the threads have used. */
	malloc_trim(0);
	end = now_ns();
	t->sum.build_ns += end - start;
	if (t->crowded >= start)
		pause_after(t, start, end);
	return t->n_wanted ? 0 : -1;
}

void tables_hurry(struct tables *t)
{
	t->hurry = true;
	t->pause = 0;
}

u32 tables_rule(struct tables *t, u32 id, u64 vaddr, struct unwind_rule *rule)
{
	struct table_entry *e = &t->entry[id];

	want(t, id);
	e->used = now_ns();
	if (!e->file.chunks)
		e->asked = true;
	if (!e->file.chunks)
		return e->file.rules ? e->file.rules : CUT_NOT_READY;
	*rule = *table_find(t->arena, &e->file, vaddr);
	return 0;
}

bool tables_crowded(const struct tables *t)
{
	return t->crowded && now_ns() - t->crowded < CROWDED;
}

struct tables_sum tables_sum(const struct tables *t)
{
	return t->sum;
}
