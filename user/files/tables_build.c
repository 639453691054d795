/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Builds unwind tables of several modules at once, on all CPUs.  Threads take jobs from
 * one list, largest file first, so that the last job to end is a small one.  Only one
 * thread touches a module.  The caller works along.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "user/elf/module.h"
#include "user/files/tables_entry.h"
#include "user/lib/clock.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/unwind/arena.h"
#include "user/unwind/cfi.h"
#include "user/unwind/table.h"
#include "walkers/walker.h"

#define MAX_THREADS   8
#define SPARE_CHUNKS  1024
#define BATCH	      64	    /* tables in memory at once */
#define CROWDED_BATCH 1		    /* the same, when crowded */
#define PAUSE	      10	    /* times the building time */
#define LEAST_PAUSE   50000000ull   /* ns */
#define RETRY	      1000000000ull /* ns: at least, after no room was found */

struct job {
	struct module *module;	/* no two jobs share one */
	struct cfi_table table; /* of the module, if err is 0 */
	int err;
	u64 ns; /* that building it took */
};

struct work {
	struct job *job;
	size_t n;
	atomic_size_t next;
};

static size_t collect_marks(const struct module *m, struct cfi_mark *out)
{
	struct walker_mark mark[WALKER_MAX_MARKS];
	size_t n = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		size_t found = 0;

		if (m->walker[i] && walkers[i]->file.marks)
			found = walkers[i]->file.marks(m->walker[i], mark,
						       WALKER_MAX_MARKS);
		for (size_t k = 0; k < found; k++)
			out[n++] =
				(struct cfi_mark){ mark[k].start, mark[k].end,
						   UNWIND_MARK(i,
							       mark[k].index) };
	}
	return n;
}

static void run_job(struct job *j)
{
	struct cfi_mark mark[WALKER_MAX_MARKS * WALKER_COUNT];
	u64 start = now_ns();

	j->err = cfi_build(&j->table, j->module, mark,
			   collect_marks(j->module, mark));
	/* What was read of a file is mostly not needed again. */
	module_rest(j->module);
	j->ns = now_ns() - start;
}

static void *run(void *arg)
{
	struct work *w = arg;
	size_t i;

	/* The rows of all wait in memory until the last is done. */
	while ((i = atomic_fetch_add(&w->next, 1)) < w->n)
		if (heap_fits(HEAP_TABLES, 0))
			run_job(&w->job[i]);
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	u64 x = ((const struct job *)a)->module->key.size;
	u64 y = ((const struct job *)b)->module->key.size;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* The jobs may come back in another order. */
static void run_jobs(struct job *job, size_t n)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct work w = { .job = job, .n = n };
	pthread_t thread[MAX_THREADS];
	size_t threads = 0;

	qsort(job, n, sizeof(*job), by_size);
	while (threads + 1 < n && (long)threads + 1 < cpus &&
	       threads < MAX_THREADS &&
	       !pthread_create(&thread[threads], NULL, run, &w))
		threads++;
	run(&w);
	while (threads)
		pthread_join(thread[--threads], NULL);
}

/* Whether no table is in the arena. */
static bool is_alone(const struct tables *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->entry[i].file.chunks)
			return false;
	return true;
}

/* Put the built table into the arena.  Returns 0, or the status that says why not. */
static u32 place(struct tables *t, struct table_entry *e, const struct job *job)
{
	int err = job->err;

	if (err && err != -ENOMEM) {
		log_debug("%s: no unwind table: %s", e->m->path,
			  strerror(-err));
		return CUT_NO_TABLE;
	}
	if (!err) {
		e->chunks = table_chunks(&job->table);
		err = tables_fit(t, e->chunks);
	}
	if (!err)
		err = table_store(t->arena, &job->table, &e->file);
	if (!err)
		return 0;
	/* Other tables of this batch may be in the way: then try again soon. */
	return err != -ENOMEM && e->chunks <= arena_limit(t->arena) &&
			       (err == -EAGAIN || !is_alone(t))
		       ? CUT_NOT_READY
		       : CUT_NO_ROOM;
}

static void refuse(struct tables *t, struct table_entry *e, u32 status,
		   const struct job *job)
{
	u64 now = now_ns();

	e->file = (struct unwind_file){ .rules = status };
	if (status == CUT_NO_TABLE)
		return;
	t->sum.refused++;
	log_debug("%s: no room for its unwind table", e->m->path);
	e->wanted = false;
	if (status == CUT_NO_ROOM) {
		e->not_before = now + RETRY + PAUSE * job->ns;
		return;
	}
	e->file.rules = 0;
	t->crowded = now;
}

/* Put a finished table where the kernel side finds it.  What finds no room has to be
 * tried again if it is not alone: the rows of others are in memory. */
static void store(struct tables *t, struct job *job, bool alone)
{
	struct table_entry *e = &t->entry[job->module->id];
	size_t rows = job->table.rows;
	u32 status = place(t, e, job);

	cfi_release(&job->table);
	if (!alone && status && status != CUT_NO_TABLE) {
		job->err = -ENOMEM;
		return;
	}
	t->sum.made++;
	if (status) {
		refuse(t, e, status, job);
	} else {
		e->used = now_ns();
		t->sum.rows += rows;
		t->sum.tables++;
		t->sum.rebuilt += e->dropped;
		e->dropped = false;
	}
	e->asked = false;
	tables_show(t, job->module->id);
}

/* Store the tables that the jobs made, and make the others one by one. */
static void store_all(struct tables *t, struct job *job, size_t n)
{
	u32 chunks = 0;

	for (size_t i = 0; i < n; i++)
		if (!job[i].err)
			chunks += table_chunks(&job[i].table);
	/* One grace period covers all new segments.  A few chunks more serve the
	 * processes' mapping tables. */
	if (chunks)
		arena_reserve(t->arena, chunks + SPARE_CHUNKS);
	for (size_t i = 0; i < n; i++)
		if (job[i].err != -ENOMEM)
			store(t, &job[i], false);
	for (size_t i = 0; i < n; i++) {
		if (job[i].err != -ENOMEM)
			continue;
		run_job(&job[i]);
		store(t, &job[i], true);
	}
}

/* Build the first n wanted tables. */
static void build(struct tables *t, size_t n)
{
	struct job *job = xcalloc(n, sizeof(*job));

	for (size_t i = 0; i < n; i++)
		job[i] = (struct job){ .module = t->entry[t->wanted[i]].m,
				       .err = -ENOMEM };
	t->n_wanted -= n;
	if (t->n_wanted)
		memmove(t->wanted, t->wanted + n,
			t->n_wanted * sizeof(*t->wanted));
	if (n > 1)
		run_jobs(job, n);
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
