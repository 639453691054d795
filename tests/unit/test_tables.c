/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which tables leave when there is no room, and that they are the same when they are
 * back.  The files are one file, opened several times.
 */
#include "user/files/tables.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <time.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "user/elf/module.h"
#include "user/unwind/arena.h"

#define MAX_FILES 64
#define MIB	  ((size_t)1 << 20)

struct scene {
	struct arena *arena;
	struct tables *tables;
	struct module m[MAX_FILES];
	u32 files, room; /* how many there are; how many tables fit */
	u64 vaddr;	 /* of a function in them */
};

static int find_libc(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	if (!strstr(info->dlpi_name, "libc.so"))
		return 0;
	*(const char **)path = info->dlpi_name;
	return 1;
}

static void add_file(struct scene *s)
{
	const char *path = NULL;
	struct module *m = &s->m[s->files];

	dl_iterate_phdr(find_libc, &path);
	assert_non_null(path);
	assert_int_equal(module_open(m, open(path, O_RDONLY | O_CLOEXEC), path),
			 0);
	m->id = s->files++;
	tables_add(s->tables, m);
}

static bool is_there(struct scene *s, u32 id)
{
	struct unwind_rule rule;

	return tables_rule(s->tables, id, s->vaddr, &rule) == 0;
}

/* One file more than there is room for; the last is not there. */
static void set_up(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	s->arena = arena_new(-1, MIB);
	s->tables = tables_new(s->arena);
	add_file(s);
	assert_int_equal(module_dynsym(&s->m[0], "qsort", &s->vaddr, NULL), 0);
	tables_hurry(s->tables);
	tables_want(s->tables, 0);
	tables_build(s->tables, 0);
	s->room = MIB / arena_used(s->arena);
	assert_in_range(s->room, 2, MAX_FILES - 1);
	while (s->files < s->room + 1)
		add_file(s);
	for (u32 i = 0; i < s->room; i++) {
		tables_want(s->tables, i);
		tables_map(s->tables, i);
	}
	tables_build(s->tables, 0);
	for (u32 i = 0; i < s->room; i++)
		assert_true(is_there(s, i));
	assert_int_equal(tables_sum(s->tables).dropped, 0);
	assert_false(tables_crowded(s->tables));
}

static void tear_down(struct scene *s)
{
	tables_free(s->tables);
	arena_free(s->arena);
	for (u32 i = 0; i < s->files; i++)
		module_close(&s->m[i]);
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void use(struct scene *s, u32 id)
{
	u64 word = frame_native(id, s->vaddr);

	tables_use(s->tables, &word, 1, now_ns());
}

static void test_least_recently_used(void **state)
{
	struct unwind_rule before, after;
	struct scene s;
	u32 oldest = 1;

	(void)state;
	set_up(&s);
	assert_int_equal(tables_rule(s.tables, oldest, s.vaddr, &before), 0);
	for (u32 i = 0; i < s.room; i++)
		if (i != oldest)
			use(&s, i);
	assert_false(is_there(&s, s.room));
	tables_build(s.tables, 0);
	assert_true(is_there(&s, s.room));
	assert_int_equal(tables_sum(s.tables).dropped, 1);
	assert_true(tables_crowded(s.tables));
	/* Asking for it is enough to have it back. */
	assert_int_equal(tables_rule(s.tables, oldest, s.vaddr, &after),
			 CUT_NOT_READY);
	tables_build(s.tables, 0);
	assert_int_equal(tables_rule(s.tables, oldest, s.vaddr, &after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_int_equal(tables_sum(s.tables).dropped, 2);
	assert_int_equal(tables_sum(s.tables).rebuilt, 1);
	assert_int_equal(arena_bytes(s.arena), MIB);
	tear_down(&s);
}

/* One that nobody maps goes first, when nobody has looked at it for a second. */
static void test_unmapped_first(void **state)
{
	const struct timespec wait = { 1, 100000000 };
	struct scene s;

	(void)state;
	set_up(&s);
	tables_unmap(s.tables, 0);
	for (u32 i = 1; i < s.room; i++)
		assert_true(is_there(&s, i));
	nanosleep(&wait, NULL);
	use(&s, 1);
	/* It is newer than the others, but it is idle. */
	assert_false(is_there(&s, s.room));
	tables_build(s.tables, 0);
	assert_true(is_there(&s, s.room));
	assert_false(is_there(&s, 0));
	assert_int_equal(tables_sum(s.tables).dropped, 1);
	/* Nobody has missed it. */
	assert_false(tables_crowded(s.tables));
	tear_down(&s);
}

/* Forget all tables, and want them again. */
static void want_all(struct scene *s)
{
	for (u32 i = 0; i < s->files; i++) {
		tables_forget(s->tables, i);
		tables_add(s->tables, &s->m[i]);
		tables_want(s->tables, i);
	}
}

/* Tables that are built together do not take each other's room; what finds none is
 * not tried again at once. */
static void test_one_batch(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	want_all(&s);
	tables_build(s.tables, 0);
	assert_int_equal(tables_sum(s.tables).dropped, 0);
	assert_int_equal(tables_sum(s.tables).refused, 1);
	assert_true(tables_crowded(s.tables));
	for (u32 i = 0; i < s.room; i++)
		assert_true(is_there(&s, i));
	tear_down(&s);
}

/* What a sample waits for is built before what is only mapped, and alone. */
static void test_asked_first(void **state)
{
	struct unwind_rule rule;
	struct scene s;
	size_t made;

	(void)state;
	set_up(&s);
	want_all(&s);
	made = tables_sum(s.tables).made;
	assert_false(is_there(&s, s.room - 1));
	assert_int_equal(tables_build(s.tables, 2), 0);
	assert_int_equal(tables_sum(s.tables).made, made + 1);
	assert_true(is_there(&s, s.room - 1));
	/* Nothing is asked for any more. */
	assert_int_equal(tables_build(s.tables, 2), 0);
	assert_int_equal(tables_sum(s.tables).made, made + 3);
	assert_int_equal(tables_rule(s.tables, s.room, s.vaddr, &rule),
			 CUT_NOT_READY);
	tear_down(&s);
}

/* Where it is crowded, a table comes for a sample only. */
static void test_crowded(void **state)
{
	struct scene s;
	size_t made;

	(void)state;
	set_up(&s);
	assert_false(is_there(&s, s.room));
	tables_build(s.tables, 0);
	assert_true(tables_crowded(s.tables));
	made = tables_sum(s.tables).made;
	for (u32 i = 0; i < s.files; i++)
		tables_want(s.tables, i);
	assert_int_equal(tables_build(s.tables, 0), -1);
	assert_int_equal(tables_sum(s.tables).made, made);
	tear_down(&s);
}

static void test_room_for_others(void **state)
{
	struct unwind_rule rule;
	struct scene s;
	u32 first;

	(void)state;
	set_up(&s);
	assert_int_equal(tables_alloc(s.tables, 10, &first), 0);
	assert_int_equal(tables_alloc(s.tables, ARENA_SEGMENT_CHUNKS, &first),
			 -ENOSPC);
	for (u32 i = 0; i < s.files; i++)
		assert_false(is_there(&s, i));
	arena_release(s.arena, first, 10);
	assert_int_equal(tables_alloc(s.tables, ARENA_SEGMENT_CHUNKS, &first),
			 0);
	/* Nothing can be dropped for it now: that is for good. */
	tables_build(s.tables, 0);
	assert_int_equal(tables_rule(s.tables, 0, s.vaddr, &rule), CUT_NO_ROOM);
	assert_true(tables_sum(s.tables).refused > 0);
	tear_down(&s);
}

/* A file that is forgotten before its turn has no table; the others that wait have. */
static void test_forgotten(void **state)
{
	struct scene s;

	(void)state;
	memset(&s, 0, sizeof(s));
	s.arena = arena_new(-1, 8 * MIB);
	s.tables = tables_new(s.arena);
	for (u32 i = 0; i < 3; i++)
		add_file(&s);
	assert_int_equal(module_dynsym(&s.m[0], "qsort", &s.vaddr, NULL), 0);
	for (u32 i = 0; i < 3; i++)
		tables_want(s.tables, i);
	tables_forget(s.tables, 1);
	tables_build(s.tables, 0);
	assert_true(is_there(&s, 0));
	assert_true(is_there(&s, 2));
	assert_int_equal(tables_sum(s.tables).made, 2);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least_recently_used),
		cmocka_unit_test(test_unmapped_first),
		cmocka_unit_test(test_one_batch),
		cmocka_unit_test(test_asked_first),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_room_for_others),
		cmocka_unit_test(test_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
