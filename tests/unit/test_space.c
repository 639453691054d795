/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What was mapped when: look-ups go by time, whatever order the events came in. */
#include "user/session/space.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void map(struct space *s, u64 time, u64 start, u64 end, u32 file)
{
	const struct space_event e = {
		.time = time,
		.mapping = { .start = start, .end = end, .file = file },
	};

	space_add(s, &e);
}

static void exec(struct space *s, u64 time)
{
	const struct space_event e = { .time = time, .exec = true };

	space_add(s, &e);
}

static void check(const struct space *s, u64 time, u64 address, int file)
{
	const struct unwind_mapping *m = space_find(s, time, address);

	print_message("# address %llx at %llu: want %d\n", address, time, file);
	assert_int_equal(m ? (int)m->file : -1, file);
}

/* Two programs in one process, the second of which maps over a mapping. */
static struct space *two_programs(void)
{
	struct space *s = space_new();

	map(s, 30, 0x1000, 0x2000, 3);
	map(s, 10, 0x1000, 0x3000, 1);
	exec(s, 20);
	map(s, 40, 0x1800, 0x1900, 4);
	return s;
}

static void test_find(void **state)
{
	static const struct {
		u64 time, address;
		int file;
	} rows[] = {
		{ 9, 0x1000, -1 },  { 10, 0x1000, 1 },	{ 19, 0x2fff, 1 },
		{ 19, 0x3000, -1 }, { 20, 0x1000, -1 }, { 29, 0x1000, -1 },
		{ 30, 0x1000, 3 },  { 39, 0x1800, 3 },	{ 40, 0x1800, 4 },
		{ 40, 0x1900, 3 },  { 99, 0x17ff, 3 },	{ 99, 0x2000, -1 },
	};
	struct space *s = two_programs();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(s, rows[i].time, rows[i].address, rows[i].file);
	space_release(s);
}

static void test_forget(void **state)
{
	struct space *s = two_programs();

	(void)state;
	space_forget(s, 19);
	check(s, 19, 0x1000, 1);
	space_forget(s, 99);
	check(s, 19, 0x1000, -1);
	check(s, 99, 0x1800, 4);
	space_release(s);
}

static void test_copy(void **state)
{
	struct space *s = two_programs(), *copy = space_copy(s);

	(void)state;
	exec(copy, 50);
	check(copy, 50, 0x1000, -1);
	check(s, 50, 0x1000, 3);
	assert_ptr_equal(space_share(s), s);
	space_release(s);
	check(s, 50, 0x1000, 3);
	space_release(s);
	space_release(copy);
}

/* A target can map for ever. */
static void test_bound(void **state)
{
	struct space *s = space_new();

	(void)state;
	for (u64 i = 1; i <= 100000; i++)
		map(s, i, i << 12, (i + 1) << 12, i);
	assert_true(s->n <= 4096);
	check(s, 100000, 100000ull << 12, 100000);
	space_release(s);
}

static bool is_file(void *ctx, const struct unwind_mapping *m)
{
	return m->file == *(u32 *)ctx;
}

/* Of the program that runs now; its beginning may not have been told. */
static void test_any(void **state)
{
	struct space *s = space_new();
	u32 one = 1, two = 2, three = 3;

	(void)state;
	assert_true(space_any(s, is_file, &three));
	map(s, 1, 0x1000, 0x2000, 1);
	assert_true(space_any(s, is_file, &three));
	exec(s, 2);
	map(s, 3, 0x1000, 0x2000, 2);
	map(s, 4, 0x3000, 0x4000, 3);
	assert_false(space_any(s, is_file, &one));
	assert_true(space_any(s, is_file, &two));
	assert_true(space_any(s, is_file, &three));
	space_release(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find), cmocka_unit_test(test_forget),
		cmocka_unit_test(test_copy), cmocka_unit_test(test_bound),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
