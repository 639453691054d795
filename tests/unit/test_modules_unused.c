/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Files that nobody maps any more do not stay open, unless they will be needed. */
#include "tests/unit/modules.h"

#include "user/processes/prefetch.h"

/* What nobody maps is closed after a minute, though there is room. */
static void test_unused(void **state)
{
	u64 start;
	struct scene s;

	(void)state;
	set_up(&s);
	assert_int_equal(modules_due(s.modules), 0);
	start = s.now = now_ns();
	for (int i = 0; i < 6; i++)
		file(&s, i);
	for (u32 id = 1; id <= 3; id++)
		tables_map(s.tables, id);
	tables_unmap(s.tables, 3);
	assert_true(modules_due(s.modules) > 0);
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
	assert_int_equal(modules_due(s.modules), 0);
	assert_int_equal(file(&s, 1)->id, 2);
	assert_int_equal(modules_due(s.modules), 0);
	tables_unmap(s.tables, 2);
	assert_true(modules_due(s.modules) > 0);
	assert_int_equal(modules_sum(s.modules).retired, 4);
	assert_int_equal(file(&s, 2)->id, 7);
	tear_down(&s);
}

/* What a program will map stays as long as there is room. */
static void test_expected(void **state)
{
	struct scene s;

	(void)state;
	set_up(&s);
	for (int i = 0; i < 4; i++)
		file(&s, i);
	tables_expect(s.tables, 3);
	s.now = now_ns() + 1000 * SECOND;
	assert_true(modules_may_retire(s.modules, s.now));
	assert_int_equal(retire(&s, s.now), 3);
	assert_non_null(modules_get(s.modules, 3));
	assert_false(modules_may_retire(s.modules, s.now));
	assert_int_equal(modules_due(s.modules), 0);
	assert_int_equal(s.named, 0);
	tear_down(&s);
}

/* What a listed process maps is read before it is known that it will be profiled.  If it
 * is not, or has gone, nothing stays. */
static void test_listed(void **state)
{
	const pid_t pid[] = { FIRST, getpid() };
	struct scene s;
	size_t files;

	(void)state;
	set_up(&s);
	prefetch_processes(s.modules, pid, 1);
	assert_int_equal(modules_sum(s.modules).modules, 0);
	prefetch_processes(s.modules, pid, 2);
	/* This program, the C library and its loader, once each. */
	files = modules_sum(s.modules).modules;
	assert_in_range(files, 3, MAX);
	prefetch_processes(s.modules, pid, 2);
	assert_int_equal(modules_sum(s.modules).modules, files);
	prefetch(s.modules, NULL, false);
	assert_in_range(tables_sum(s.tables).tables, 1, files);
	s.now = now_ns() + 1000 * SECOND;
	while (retire(&s, s.now))
		;
	assert_int_equal(modules_sum(s.modules).retired, files);
	tear_down(&s);
}

/* That takes no more than a thousandth of the time. */
static void test_naming_is_rare(void **state)
{
	struct scene s;
	u64 first;

	(void)state;
	set_up(&s);
	s.slow_ns = SECOND / 20;
	file(&s, 0);
	sample(&s, 1);
	first = s.now = now_ns() + 61 * SECOND;
	assert_int_equal(retire(&s, s.now), 1);
	assert_int_equal(s.named, 1);
	file(&s, 1);
	sample(&s, 2);
	s.now += 15 * SECOND;
	assert_int_equal(retire(&s, s.now), 0);
	assert_int_equal(s.named, 1);
	assert_int_equal(modules_due(s.modules), s.now + 10 * SECOND);
	/* What is in no stack does not wait for that. */
	file(&s, 2);
	s.now += 10 * SECOND;
	assert_true(modules_may_retire(s.modules, s.now));
	assert_int_equal(retire(&s, s.now), 1);
	assert_int_equal(s.named, 1);
	s.now = first + 49 * SECOND;
	assert_int_equal(retire(&s, s.now), 0);
	assert_int_equal(s.named, 1);
	assert_int_equal(modules_due(s.modules), s.now + 10 * SECOND);
	s.now = first + 300 * SECOND;
	assert_int_equal(retire(&s, s.now), 1);
	assert_int_equal(s.named, 2);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unused),
		cmocka_unit_test(test_expected),
		cmocka_unit_test(test_listed),
		cmocka_unit_test(test_naming_is_rare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
