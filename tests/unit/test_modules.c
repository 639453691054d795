/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Neither code that processes make in memory nor files may take all the ids that there
 * are for ever; and an id that may still be named is nobody else's. */
#include "user/session/modules.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "tests/unit/tiny_elf.h"
#include "user/session/registry.h"
#include "user/session/tables.h"
#include "user/target/maps.h"
#include "user/target/module.h"
#include "user/unwind/arena.h"

#define MAX    32 /* files */
#define CODE   (MAX / 4 + 1)
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

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static void set_up(struct scene *s)
{
	struct modules_config config = { .proc = "/proc", .max = MAX };

	memset(s, 0, sizeof(*s));
	s->now = 30 * SECOND;
	snprintf(s->folder, sizeof(s->folder), "/tmp/modules-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	s->arena = arena_new(-1, 1 << 20);
	s->tables = config.tables = tables_new(s->arena);
	s->modules = modules_new(&config);
	/* Wherever this test lies. */
	s->modules->home.n = 0;
}

static void path_of(const struct scene *s, int i, char *path, size_t size)
{
	snprintf(path, size, "%s/%d", s->folder, i);
}

static void tear_down(struct scene *s)
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
static struct module *file_of(struct scene *s, int i, pid_t pid)
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
static struct module *file(struct scene *s, int i)
{
	return file_of(s, i, FIRST + 1 + (i & 1));
}

/* The i-th block of a process's addresses; each is a module. */
static struct module *code_of(struct scene *s, u64 i, pid_t pid)
{
	struct map map = { .start = i << FRAME_ADDR_BITS, .executable = true };
	struct module *m;

	map.end = map.start + 4096;
	m = modules_code(s->modules, pid, &map);
	assert_non_null(m);
	return m;
}

/* Another process than this one and its parent. */
static pid_t third(void)
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
static struct module *code(struct scene *s, u64 i)
{
	pid_t pids[] = { getpid(), getppid(), third() };

	return code_of(s, i, pids[i % 3]);
}

static void name(void *ctx)
{
	struct scene *s = ctx;
	u64 end = now_ns() + s->slow_ns;

	s->named++;
	while (now_ns() < end)
		;
}

static size_t retire(struct scene *s, u64 time)
{
	const struct modules_time t = { .now = s->now, .settled = time };

	return modules_retire(s->modules, &t, name, s);
}

static void sample(struct scene *s, u32 id)
{
	u64 word = frame_native(id, 0x10);

	tables_use(s->tables, &word, 1, 1);
}

static void assert_no_room(struct scene *s, const struct module *m)
{
	struct unwind_rule rule;

	assert_int_equal(m->id, MODULES_NONE);
	assert_null(modules_get(s->modules, m->id));
	assert_true(modules_crowded(s->modules));
	assert_int_equal(tables_rule(s->tables, m->id, 0x10, &rule),
			 CUT_NO_FILE);
}

static void test_code_is_bounded(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	for (u32 i = 0; i < CODE; i++) {
		assert_int_equal(code(&s, i)->id, i + 1);
		assert_ptr_equal(code(&s, i), modules_get(s.modules, i + 1));
	}
	assert_no_room(&s, code(&s, CODE));
	assert_int_equal(modules_sum(s.modules).refused, 1);
	/* Files are none. */
	assert_int_equal(file(&s, 0)->id, CODE + 1);
	/* Nothing is known to be over, then all but those three. */
	assert_int_equal(retire(&s, 0), 0);
	assert_no_room(&s, code(&s, CODE));
	sample(&s, 1);
	tables_map(s.tables, 2);
	tables_map(s.tables, CODE + 1);
	assert_int_equal(retire(&s, NEVER), ALL);
	assert_int_equal(code(&s, 0)->id, 1);
	assert_int_equal(code(&s, 1)->id, 2);
	for (u64 i = 0; i < ALL; i++) {
		struct module *m = code(&s, 100 + i);

		assert_int_not_equal(m->id, MODULES_NONE);
		assert_int_equal(m->code->base, (100 + i) << FRAME_ADDR_BITS);
	}
	assert_no_room(&s, code(&s, 200));
	tear_down(&s);
}

static void fill(struct scene *s)
{
	for (int i = 0; i < MAX; i++)
		assert_int_equal(file(s, i)->id, i + 1);
	assert_int_equal(s->files, MAX);
	assert_no_room(s, file(s, MAX));
	/* What was known stays so. */
	assert_int_equal(file(s, 5)->id, 6);
}

/* Those that were used least recently go first. */
static void test_files_change(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	fill(&s);
	for (int i = 0; i < MAX; i++)
		if (i < 3 || i > 8)
			file(&s, i);
	assert_int_equal(retire(&s, 0), 0);
	assert_int_equal(retire(&s, NEVER), ALL);
	assert_int_equal(s.named, 0);
	for (int i = 0; i < MAX; i++) {
		const struct module *m = modules_get(s.modules, i + 1);

		/* fill() has asked for 5 last of these. */
		assert_int_equal(m == NULL, i >= 3 && i <= 8 && i != 5);
	}
	for (int i = 0; i < ALL; i++) {
		const struct module *m = file(&s, MAX + i);

		assert_int_not_equal(m->id, MODULES_NONE);
		assert_string_equal(m->name, strrchr(m->path, '/') + 1);
		assert_int_equal(strtol(m->name, NULL, 10), MAX + i);
	}
	assert_no_room(&s, file(&s, MAX + ALL));
	assert_no_room(&s, file(&s, 3));
	assert_int_equal(modules_sum(s.modules).retired, ALL);
	tear_down(&s);
}

/* Stacks must have names before the files in them can go; and what is mapped stays. */
static void test_names_come_first(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	fill(&s);
	for (u32 id = 1; id <= MAX; id++) {
		sample(&s, id);
		if (id != 7)
			tables_map(s.tables, id);
	}
	assert_int_equal(retire(&s, 0), 0);
	assert_int_equal(s.named, 0);
	assert_int_equal(retire(&s, NEVER), 1);
	assert_int_equal(s.named, 1);
	assert_null(modules_get(s.modules, 7));
	assert_int_equal(file(&s, MAX)->id, 7);
	assert_int_equal(strtol(modules_get(s.modules, 7)->name, NULL, 10),
			 MAX);
	for (u32 id = 1; id <= MAX; id++)
		assert_non_null(modules_get(s.modules, id));
	/* Not again at once. */
	sample(&s, 7);
	assert_no_room(&s, file(&s, 6));
	assert_int_equal(retire(&s, NEVER), 0);
	assert_int_equal(s.named, 1);
	tear_down(&s);
}

/* What was mapped before a file was opened is not it, even if it had its inode. */
static void test_inode_serves_again(void **state)
{
	char gone[] = "/nonexistent";
	struct map map = { .end = 4096, .executable = true, .path = gone };
	struct scene s;
	struct stat st;
	char path[64];

	(void)state;
	set_up(&s);
	file_of(&s, 0, getpid());
	path_of(&s, 0, path, sizeof(path));
	assert_int_equal(stat(path, &st), 0);
	map.dev = st.st_dev;
	map.ino = st.st_ino;
	assert_null(modules_find_late(s.modules, getpid(), &map, 1));
	assert_null(modules_find(s.modules, getpid(), &map, 1));
	assert_ptr_equal(modules_find_late(s.modules, getpid(), &map, NEVER),
			 file(&s, 0));
	tear_down(&s);
}

/* Files for ever: there is always room for the next. */
static void test_for_ever(void **state)
{
	struct scene s;
	size_t closed = 0;

	(void)state;
	set_up(&s);
	for (int i = 0; i < 40 * MAX; i++) {
		struct module *m = file(&s, i);

		assert_in_range(m->id, 1, MAX);
		tables_map(s.tables, m->id);
		tables_unmap(s.tables, m->id);
		if (modules_crowded(s.modules))
			closed += retire(&s, NEVER);
	}
	assert_int_equal(modules_sum(s.modules).refused, 0);
	assert_int_equal(modules_sum(s.modules).retired, closed);
	assert_in_range(closed, 38 * MAX, 40 * MAX);
	tear_down(&s);
}

/* A process that maps all that it can leaves room for others, and they do not lose it
 * again. */
static void test_one_takes_all(void **state)
{
	struct scene s;
	int i;

	(void)state;
	set_up(&s);
	for (i = 0; i < 2 * MAX; i++) {
		const struct module *m = file_of(&s, i, FIRST);

		assert_int_equal(m->id == MODULES_NONE, i >= MAX * 3 / 4);
		if (m->id != MODULES_NONE)
			tables_map(s.tables, m->id);
	}
	assert_int_equal(modules_sum(s.modules).refused, 0);
	assert_int_equal(modules_sum(s.modules).unfair, 2 * MAX - MAX * 3 / 4);
	for (; i < 2 * MAX + MAX / 4; i++)
		assert_int_not_equal(file(&s, i)->id, MODULES_NONE);
	assert_no_room(&s, file(&s, i));
	assert_int_equal(modules_sum(s.modules).refused, 1);
	/* The others' go, and it gets none of that. */
	assert_int_equal(retire(&s, NEVER), ALL);
	assert_int_equal(file_of(&s, i, FIRST)->id, MODULES_NONE);
	assert_int_not_equal(file(&s, i)->id, MODULES_NONE);
	/* What it does not map any more is not counted as its. */
	for (u32 id = 1; id <= MAX / 2; id++)
		tables_unmap(s.tables, id);
	while (retire(&s, NEVER))
		;
	assert_int_not_equal(file_of(&s, 2 * MAX - 1, FIRST)->id, MODULES_NONE);
	tear_down(&s);
}

static bool is_at_home(const struct scene *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = home_has(&s->modules->home, fd);

	close(fd);
	return is;
}

/* What nobody maps is closed after a minute, though there is room. */
static void test_unused(void **state)
{
	u64 start;
	struct scene s;

	(void)state;
	set_up(&s);
	assert_int_equal(modules_due(s.modules), UINT64_MAX);
	start = s.now = now_ns();
	for (int i = 0; i < 6; i++)
		file(&s, i);
	for (u32 id = 1; id <= 3; id++)
		tables_map(s.tables, id);
	tables_unmap(s.tables, 3);
	assert_in_range(modules_due(s.modules), start + 60 * SECOND,
			now_ns() + 60 * SECOND);
	s.now = start + 59 * SECOND;
	assert_int_equal(retire(&s, s.now), 0);
	/* Samples that wait may need them. */
	s.now = start + 90 * SECOND;
	assert_int_equal(retire(&s, start), 0);
	assert_in_range(modules_due(s.modules), s.now + 1, s.now + 10 * SECOND);
	sample(&s, 6);
	assert_int_equal(retire(&s, s.now), 4);
	assert_int_equal(s.named, 1);
	for (u32 id = 1; id <= 6; id++)
		assert_int_equal(!modules_get(s.modules, id), id > 2);
	/* Nothing is left to be waited for, until something is. */
	assert_int_equal(modules_due(s.modules), UINT64_MAX);
	assert_int_equal(file(&s, 1)->id, 2);
	assert_int_equal(modules_due(s.modules), UINT64_MAX);
	tables_unmap(s.tables, 2);
	assert_true(modules_due(s.modules) < UINT64_MAX);
	assert_int_equal(modules_sum(s.modules).retired, 4);
	assert_int_equal(file(&s, 2)->id, 7);
	tear_down(&s);
}

/* What is on a mount that stays is in nobody's way: it is there for the next process. */
static void test_home(void **state)
{
	struct scene s;
	char path[64];

	(void)state;
	set_up(&s);
	home_init(&s.modules->home);
	if (!s.modules->home.n) {
		tear_down(&s);
		skip();
	}
	while (s.files < 4) {
		path_of(&s, s.files++, path, sizeof(path));
		tiny_elf_write(path);
	}
	if (!is_at_home(&s, path)) {
		print_message("# %s is on another mount than /\n", path);
		tear_down(&s);
		skip();
	}
	for (int i = 0; i < 4; i++)
		file(&s, i);
	assert_int_equal(modules_due(s.modules), UINT64_MAX);
	s.now = now_ns() + 1000 * SECOND;
	assert_true(modules_may_retire(s.modules, s.now));
	assert_int_equal(retire(&s, s.now), 0);
	assert_false(modules_may_retire(s.modules, s.now));
	/* Unless it is deleted. */
	path_of(&s, 2, path, sizeof(path));
	unlink(path);
	s.now += 1000 * SECOND;
	assert_int_equal(retire(&s, s.now), 1);
	assert_null(modules_get(s.modules, 3));
	assert_int_equal(s.named, 0);
	tear_down(&s);
}

/* That takes no more than a thousandth of the time. */
static void test_naming_is_rare(void **state)
{
	struct scene s;
	u64 due;

	(void)state;
	set_up(&s);
	s.slow_ns = SECOND / 50;
	file(&s, 0);
	sample(&s, 1);
	s.now = now_ns() + 61 * SECOND;
	assert_int_equal(retire(&s, s.now), 1);
	assert_int_equal(s.named, 1);
	file(&s, 1);
	sample(&s, 2);
	s.now += 15 * SECOND;
	assert_int_equal(retire(&s, s.now), 0);
	assert_int_equal(s.named, 1);
	due = modules_due(s.modules);
	assert_in_range(due, s.now + 5 * SECOND, s.now + 285 * SECOND);
	s.now = due;
	assert_int_equal(retire(&s, s.now), 1);
	assert_int_equal(s.named, 2);
	tear_down(&s);
}

static void test_one_makes_all_code(void **state)
{
	struct scene s;
	u32 n = 0;

	(void)state;
	set_up(&s);
	while (code_of(&s, n, getpid())->id != MODULES_NONE)
		n++;
	assert_in_range(n, CODE / 2, CODE - 1);
	assert_int_equal(modules_sum(s.modules).unfair, 1);
	for (u32 i = n; i < CODE; i++)
		assert_int_not_equal(code_of(&s, i, getppid())->id,
				     MODULES_NONE);
	assert_no_room(&s, code_of(&s, CODE, getppid()));
	assert_int_equal(modules_sum(s.modules).refused, 1);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_takes_all),
		cmocka_unit_test(test_one_makes_all_code),
		cmocka_unit_test(test_unused),
		cmocka_unit_test(test_home),
		cmocka_unit_test(test_naming_is_rare),
		cmocka_unit_test(test_code_is_bounded),
		cmocka_unit_test(test_files_change),
		cmocka_unit_test(test_names_come_first),
		cmocka_unit_test(test_inode_serves_again),
		cmocka_unit_test(test_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
