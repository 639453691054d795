/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A tracker of made-up processes, with a process table of the test's own. */
#ifndef JPBPF_TESTS_UNIT_TRACKED_H
#define JPBPF_TESTS_UNIT_TRACKED_H

#include "user/processes/tracker.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <time.h>

#include <jpbpf/sample.h>

#include "tests/unit/containers.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/files/modules.h"
#include "user/processes/process.h"
#include "user/processes/map_history.h"
#include "user/files/tables.h"
#include "user/unwind/arena.h"

#define PROCESSES 16

struct engine {
	struct process_entry entry[PROCESSES]; /* by pid; no serial: none */
	u64 noted[PROCESSES];		       /* time of the last area */
};

int engine_get_process(struct engine *e, pid_t pid, struct process_entry *entry)
{
	if (!e->entry[pid].serial)
		return -ENOENT;
	*entry = e->entry[pid];
	return 0;
}

int engine_put_process(struct engine *e, pid_t pid,
		       const struct process_entry *entry, bool had_one)
{
	if (had_one && !e->entry[pid].serial)
		return -ESRCH;
	e->entry[pid] = *entry;
	return 0;
}

bool engine_has_noted(struct engine *e, pid_t pid, u64 since)
{
	return e->noted[pid] && e->noted[pid] >= since;
}

void engine_drop_process(struct engine *e, pid_t pid)
{
	e->entry[pid].serial = 0;
}

int engine_map(const struct engine *e, const char *name)
{
	(void)e;
	(void)name;
	return -ENOENT;
}

void engine_put_file(struct engine *e, u32 file, const struct unwind_file *f)
{
	(void)e;
	(void)file;
	(void)f;
}

struct tracked {
	struct containers processes;
	struct engine engine;
	struct arena *arena;
	struct tables *tables;
	struct modules *modules;
	struct tracker *tracker;
	size_t walked[WALK_STATUS_COUNT], counted[WALK_STATUS_COUNT];
};

static inline u64 tracked_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static inline void tracked_take(void *ctx, const struct sample *head,
				u32 status, const u64 *word, u32 words)
{
	(void)head;
	(void)word;
	(void)words;
	((struct tracked *)ctx)->walked[status]++;
}

static inline void tracked_count(void *ctx, u32 status)
{
	((struct tracked *)ctx)->counted[status]++;
}

/* children, is_chosen: tracker_config's. */
static inline void tracked_init_with(struct tracked *t, bool children,
				     bool (*is_chosen)(void *ctx, pid_t pid))
{
	struct modules_config modules = { .proc = t->processes.proc,
					  .max = 64 };
	struct tracker_config config = { .engine = &t->engine,
					 .proc = t->processes.proc,
					 .mode = TRACK_LISTED,
					 .children = children,
					 .is_chosen = is_chosen,
					 .sink = { tracked_take, tracked_count,
						   t } };

	*t = (struct tracked){ 0 };
	containers_init(&t->processes);
	t->arena = config.arena = arena_new(-1, 1 << 20);
	t->tables = modules.tables = tables_new(t->arena);
	t->modules = config.modules = modules_new(&modules);
	t->tracker = tracker_new(&config);
}

static inline void tracked_init(struct tracked *t)
{
	tracked_init_with(t, false, NULL);
}

static inline void tracked_release(struct tracked *t)
{
	tracker_free(t->tracker);
	modules_free(t->modules);
	tables_free(t->tables);
	arena_free(t->arena);
	containers_release(&t->processes);
}

/* It has so many pages of code, with others between them. */
static inline void tracked_map(const struct tracked *t, pid_t pid, int areas)
{
	char name[256];
	FILE *f =
		fopen(containers_name(&t->processes, pid, "/maps", name), "we");

	assert_non_null(f);
	for (int i = 1; i <= areas; i++)
		fprintf(f, "%x-%x r-xp 00000000 00:00 0 \n", i * 0x2000,
			i * 0x2000 + 0x1000);
	assert_int_equal(fclose(f), 0);
}

/* A process with one page of code, and its parent. */
static inline pid_t tracked_start_of(struct tracked *t, pid_t parent)
{
	pid_t pid = containers_start(&t->processes);
	char name[256], stat[128];

	assert_true(pid < PROCESSES);
	snprintf(stat, sizeof(stat),
		 "%d (x) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 77 0 0\n",
		 pid, parent);
	write_bytes(containers_name(&t->processes, pid, "/stat", name), stat,
		    strlen(stat));
	tracked_map(t, pid, 1);
	return pid;
}

static inline pid_t tracked_start(struct tracked *t)
{
	return tracked_start_of(t, 1);
}

static inline struct process *tracked_process(const struct tracked *t,
					      pid_t pid)
{
	return process_find(t->tracker, pid);
}

#endif
