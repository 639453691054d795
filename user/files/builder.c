/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Threads take jobs from one list, largest file first, so that the last job to end is a
 * small one.  Only one thread touches a module.  The caller works along.
 */
#include "user/files/builder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <jpbpf/unwind.h>

#include "user/elf/module.h"
#include "walkers/walker.h"

#define MAX_THREADS 8

struct work {
	struct builder_job *job;
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

static void *run(void *arg)
{
	struct cfi_mark mark[WALKER_MAX_MARKS * WALKER_COUNT];
	struct work *w = arg;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n) {
		struct builder_job *j = &w->job[i];

		j->err = cfi_build(&j->table, j->module, mark,
				   collect_marks(j->module, mark));
	}
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	u64 x = ((const struct builder_job *)a)->module->key.size;
	u64 y = ((const struct builder_job *)b)->module->key.size;

	return x < y ? 1 : x > y ? -1 : 0;
}

void builder_run(struct builder_job *job, size_t n)
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
