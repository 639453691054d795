/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The folders of containers are open as long as a module of theirs is, and no longer.  A
 * made-up /proc tells of the containers. */
#include "user/files/modules.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/containers.h"
#include "tests/unit/tiny_elf.h"
#include "user/files/registry.h"
#include "user/files/tables.h"
#include "user/target/maps.h"
#include "user/elf/module.h"
#include "user/target/root.h"
#include "user/unwind/arena.h"

#define MINUTE (60 * 1000000000ull)
#define NAME   256

struct scene {
	struct containers containers;
	struct arena *arena;
	struct tables *tables;
	struct modules *modules;
	u64 now;
};

/* The test's files lie on a mount of their own. */
int statx(int folder, const char *path, int flags, unsigned mask,
	  struct statx *out)
{
	if (mask & STATX_MNT_ID) {
		errno = ENOSYS;
		return -1;
	}
	return syscall(SYS_statx, folder, path, flags, mask, out);
}

static void no_name(void *ctx)
{
	(void)ctx;
	fail_msg("there is no stack to be named");
}

static void set_up(struct scene *s)
{
	struct modules_config config = { .max = 64, .name = no_name };
	struct timespec t;

	containers_init(&s->containers);
	config.proc = s->containers.proc;
	s->arena = arena_new(-1, 1 << 20);
	s->tables = config.tables = tables_new(s->arena);
	s->modules = modules_new(&config);
	clock_gettime(CLOCK_MONOTONIC, &t);
	s->now = t.tv_sec * 1000000000ull;
}

static void tear_down(struct scene *s)
{
	modules_free(s->modules);
	tables_free(s->tables);
	arena_free(s->arena);
	containers_release(&s->containers);
}

/* What the process maps under that name in its tree. */
static struct module *find(struct scene *s, pid_t pid, const char *path)
{
	char name[NAME], file[64], text[32];
	struct map map = { .end = 4096, .executable = true, .path = text };
	struct module *m;
	struct stat st;

	snprintf(text, sizeof(text), "%s", path);
	snprintf(file, sizeof(file), "/root%s", path);
	assert_int_equal(
		stat(containers_name(&s->containers, pid, file, name), &st), 0);
	map.dev = st.st_dev;
	map.ino = st.st_ino;
	m = modules_find(s->modules, pid, &map, UINT64_MAX);
	assert_non_null(m);
	assert_int_not_equal(m->id, MODULES_NONE);
	return m;
}

static size_t pass(struct scene *s, u64 ns)
{
	s->now += ns;
	return modules_retire(s->modules, s->now, s->now);
}

static size_t open_roots(const struct scene *s)
{
	return roots_open(s->modules->roots);
}

/* More than there can be at a time; three at a time have a library of their own. */
static void test_for_weeks(void **state)
{
	struct module *m[3] = { 0 };
	struct scene s;

	(void)state;
	set_up(&s);
	for (int i = 0; i < 1100; i++) {
		pid_t pid = containers_start(&s.containers);
		char name[NAME];

		tiny_elf_write(
			containers_name(&s.containers, pid, "/root/lib", name));
		if (m[i % 3])
			tables_unmap(s.tables, m[i % 3]->id);
		m[i % 3] = find(&s, pid, "/lib");
		tables_map(s.tables, m[i % 3]->id);
		assert_true(root_is_known(m[i % 3]->root));
		pass(&s, 2 * MINUTE);
		assert_int_equal(open_roots(&s), i < 3 ? i + 1 : 3);
	}
	assert_int_equal(modules_sum(s.modules).without_root, 0);
	tear_down(&s);
}

/* A file that all map does not hold the container in which it was first seen. */
static void test_shared_file(void **state)
{
	char first[NAME], name[NAME];
	const struct root *root;
	struct module *m;
	struct scene s;
	pid_t pid;

	(void)state;
	set_up(&s);
	pid = containers_start(&s.containers);
	tiny_elf_write(containers_name(&s.containers, pid, "/root/lib", first));
	m = find(&s, pid, "/lib");
	tables_map(s.tables, m->id);
	root = m->root;
	assert_true(root && root_is_known(root));
	for (int i = 0; i < 10; i++) {
		pid = containers_start(&s.containers);
		assert_int_equal(
			link(first, containers_name(&s.containers, pid,
						    "/root/elsewhere", name)),
			0);
		assert_ptr_equal(find(&s, pid, "/elsewhere"), m);
		assert_string_equal(m->path, "/elsewhere");
		assert_string_equal(m->name, "elsewhere");
		assert_ptr_equal(find(&s, pid, "/elsewhere"), m);
		assert_int_equal(open_roots(&s), 1);
	}
	/* Of one that has ended nothing is known: it stays where it was. */
	root = m->root;
	rename(containers_name(&s.containers, pid, "/ns", first),
	       containers_name(&s.containers, pid, "/gone", name));
	assert_ptr_equal(find(&s, pid, "/elsewhere"), m);
	assert_ptr_equal(m->root, root);
	tables_unmap(s.tables, m->id);
	assert_int_equal(pass(&s, 2 * MINUTE), 1);
	assert_int_equal(open_roots(&s), 0);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_for_weeks),
		cmocka_unit_test(test_shared_file),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
