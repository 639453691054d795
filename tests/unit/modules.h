/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A registry with room for few files, which are made as they are asked for. */
#ifndef JPBPF_TESTS_UNIT_MODULES_H
#define JPBPF_TESTS_UNIT_MODULES_H

#include "user/files/modules.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "tests/unit/tiny_elf.h"
#include "user/files/registry.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/elf/module.h"
#include "user/unwind/arena.h"

#define MAX    32	     /* files */
#define ALL    (MAX / 8 + 1) /* closed at once, at most */
#define NEVER  UINT64_MAX
#define FIRST  (1 << 23) /* pid that nobody has */
#define SECOND 1000000000ull

struct scene {
	struct arena *arena;
	struct tables *tables;
	struct modules *modules;
	char folder[32];
	int files;
	size_t named; /* times */
	u64 slow_ns;  /* that naming takes */
	u64 now;      /* ns: at first nothing has been unused for long by it */
};

static inline u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static inline void name(void *ctx)
{
	struct scene *s = ctx;
	u64 end = now_ns() + s->slow_ns;

	s->named++;
	while (now_ns() < end)
		;
}

static inline void set_up(struct scene *s)
{
	struct modules_config config = {
		.proc = "/proc", .max = MAX, .name = name, .ctx = s
	};

	memset(s, 0, sizeof(*s));
	s->now = 30 * SECOND;
	snprintf(s->folder, sizeof(s->folder), "/tmp/modules-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	s->arena = arena_new(-1, 1 << 20);
	s->tables = config.tables = tables_new(s->arena);
	s->modules = modules_new(&config);
}

static inline void path_of(const struct scene *s, int i, char *path,
			   size_t size)
{
	snprintf(path, size, "%s/%d", s->folder, i);
}

static inline void tear_down(struct scene *s)
{
	char path[64];

	modules_free(s->modules);
	tables_free(s->tables);
	arena_free(s->arena);
	for (int i = 0; i < s->files; i++) {
		path_of(s, i, path, sizeof(path));
		unlink(path);
	}
	rmdir(s->folder);
}

/* The i-th file, as this process maps it, which has ended. */
static inline struct module *file_of(struct scene *s, int i, pid_t pid)
{
	struct map map = { .end = 4096, .executable = true };
	struct module *m;
	struct stat st;
	char path[64];

	path_of(s, i, path, sizeof(path));
	for (; s->files <= i; s->files++)
		tiny_elf_write(path);
	assert_int_equal(stat(path, &st), 0);
	map.path = path;
	map.dev = st.st_dev;
	map.ino = st.st_ino;
	m = modules_find_late(s->modules, pid, &map, NEVER);
	assert_non_null(m);
	return m;
}

/* The same of one of two processes, each of which has half. */
static inline struct module *file(struct scene *s, int i)
{
	return file_of(s, i, FIRST + 1 + (i & 1));
}

/* The i-th block of a process's addresses; each is a module. */
static inline struct module *code_of(struct scene *s, u64 i, pid_t pid)
{
	struct map map = { .start = i << FRAME_ADDR_BITS, .executable = true };
	struct module *m;

	map.end = map.start + 4096;
	m = modules_code(s->modules, pid, &map);
	assert_non_null(m);
	return m;
}

/* Another process than this one and its parent. */
static inline pid_t third(void)
{
	static pid_t pid;

	if (pid)
		return pid;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	return pid;
}

/* The same of one of three processes. */
static inline struct module *code(struct scene *s, u64 i)
{
	pid_t pids[] = { getpid(), getppid(), third() };

	return code_of(s, i, pids[i % 3]);
}

static inline size_t retire(struct scene *s, u64 time)
{
	return modules_retire(s->modules, s->now, time);
}

static inline void sample(struct scene *s, u32 id)
{
	u64 word = frame_native(id, 0x10);

	tables_use(s->tables, &word, 1, 1);
}

static inline void assert_no_room(struct scene *s, const struct module *m)
{
	struct unwind_rule rule;

	assert_int_equal(m->id, MODULES_NONE);
	assert_null(modules_get(s->modules, m->id));
	assert_true(modules_crowded(s->modules));
	assert_int_equal(tables_rule(s->tables, m->id, 0x10, &rule),
			 CUT_NO_FILE);
}

#endif
