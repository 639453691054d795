/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What was mapped when: look-ups go by time, whatever order the events came in. */
#include "user/processes/map_history.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "user/lib/heap.h"

static void map(struct map_history *s, u64 time, u64 start, u64 end, u32 file)
{
	const struct map_event e = {
		.time = time,
		.mapping = { .start = start, .end = end, .file = file },
	};

	map_history_add(s, &e);
}

static void exec(struct map_history *s, u64 time)
{
	const struct map_event e = { .time = time, .exec = true };

	map_history_add(s, &e);
}

static void check(const struct map_history *s, u64 time, u64 address, int file)
{
	const struct unwind_mapping *m = map_history_find(s, time, address);

	print_message("# address %llx at %llu: want %d\n", address, time, file);
	assert_int_equal(m ? (int)m->file : -1, file);
}

/* Two programs in one process, the second of which maps over a mapping. */
static struct map_history two_programs(void)
{
	struct map_history s = { 0 };

	map(&s, 30, 0x1000, 0x2000, 3);
	map(&s, 10, 0x1000, 0x3000, 1);
	exec(&s, 20);
	map(&s, 40, 0x1800, 0x1900, 4);
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
	struct map_history s = two_programs();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&s, rows[i].time, rows[i].address, rows[i].file);
	map_history_release(&s);
}

/* What /proc showed between two times, and what a sample at another may believe. */
static void test_holds(void **state)
{
	static const struct {
		u64 time, address, first, last;
		bool holds;
	} rows[] = {
		/* After the look: nothing has come since, or something. */
		{ 39, 0x1800, 31, 32, true },
		{ 40, 0x1800, 31, 32, false },
		{ 40, 0x1900, 31, 32, true },
		/* Before it: what has come by then was not there. */
		{ 31, 0x1800, 50, 51, false },
		{ 31, 0x1900, 50, 51, true },
		{ 40, 0x1800, 50, 51, true },
		{ 31, 0x1800, 38, 39, true },
		/* While it was looked. */
		{ 39, 0x1800, 38, 41, false },
		{ 41, 0x1800, 38, 41, false },
		{ 41, 0x1900, 38, 41, true },
		/* Another program. */
		{ 19, 0x4000, 21, 22, false },
		{ 21, 0x4000, 19, 19, false },
		{ 21, 0x4000, 22, 23, true },
	};
	struct map_history s = two_programs();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("# %llx at %llu, seen %llu-%llu\n",
			      rows[i].address, rows[i].time, rows[i].first,
			      rows[i].last);
		assert_int_equal(map_history_holds(&s, rows[i].time,
						   rows[i].address,
						   rows[i].first, rows[i].last),
				 rows[i].holds);
	}
	map_history_release(&s);
}

/* A new program's part is copied from its exec on. */
static void test_copy_of_program(void **state)
{
	struct map_history s = two_programs(), copy = { 0 };

	(void)state;
	map_history_copy(&copy, &s, 19);
	check(&copy, 19, 0x1000, 1);
	map_history_release(&copy);
	for (u64 time = 20; time < 100; time += 79) {
		map_history_copy(&copy, &s, time);
		assert_int_equal(copy.n, 3);
		check(&copy, 19, 0x1000, -1);
		check(&copy, 99, 0x1800, 4);
		map_history_release(&copy);
	}
	map_history_release(&s);
}

static void test_copy(void **state)
{
	struct map_history s = two_programs(), copy = { 0 };

	(void)state;
	map_history_copy(&copy, &s, 0);
	check(&copy, 19, 0x1000, 1);
	exec(&copy, 50);
	check(&copy, 50, 0x1000, -1);
	check(&s, 50, 0x1000, 3);
	map_history_release(&s);
	check(&copy, 49, 0x1000, 3);
	map_history_release(&copy);
}

/* The same again and again forgets nothing. */
static void test_same(void **state)
{
	struct map_history s = { 0 };

	(void)state;
	map(&s, 1, 0x1000, 0x2000, 1);
	for (u64 i = 2; i <= 100000; i++)
		map(&s, i, 0x5000, 0x6000, 2);
	assert_int_equal(s.n, 2);
	assert_false(map_history_has_gap(&s, 0));
	check(&s, 100000, 0x1000, 1);
	check(&s, 2, 0x5000, 2);
	check(&s, 1, 0x5000, -1);
	map(&s, 100001, 0x5000, 0x6000, 3);
	map(&s, 100002, 0x5000, 0x6000, 2);
	check(&s, 100001, 0x5000, 3);
	check(&s, 100002, 0x5000, 2);
	map_history_release(&s);
}

/* A target can map for ever. */
static void test_bound(void **state)
{
	struct map_history s = { 0 };

	(void)state;
	for (u64 i = 1; i <= 100000; i++)
		map(&s, i, i << 12, (i + 1) << 12, i);
	assert_true(s.n <= 4096);
	check(&s, 100000, 100000ull << 12, 100000);
	/* That something is forgotten is known. */
	check(&s, 100000, 1 << 12, -1);
	assert_true(map_history_has_gap(&s, 1));
	assert_true(map_history_has_gap(&s, 90000));
	assert_false(map_history_has_gap(&s, 99999));
	/* What comes late may have been mapped over since. */
	map(&s, 5, 5 << 12, 6 << 12, 5);
	check(&s, 100000, 5 << 12, -1);
	map_history_release(&s);
}

/* Whatever the order. */
static void test_backwards(void **state)
{
	struct map_history s = { 0 };

	(void)state;
	for (u64 i = 4096; i; i--)
		map(&s, i, i % 64, i % 64 + 1, i);
	assert_int_equal(s.n, 4096);
	for (u64 i = 64; i <= 4096; i++)
		check(&s, i, i % 64, i);
	map_history_release(&s);
}

#define PROCESSES 20000
#define EACH	  200 /* mappings */
#define ALL	  (8u << 20)

static size_t bytes_of(const struct map_history *s)
{
	size_t bytes = 0;

	for (size_t i = 0; i < PROCESSES; i++)
		bytes += s[i].capacity * sizeof(*s[i].event);
	return bytes;
}

/* Every process knows its mappings, or knows that it does not. */
static size_t check_all(const struct map_history *s)
{
	size_t known = 0;

	for (size_t i = 0; i < PROCESSES; i++) {
		const struct unwind_mapping *m =
			map_history_find(&s[i], EACH, 1);

		assert_true(m || map_history_has_gap(&s[i], 0));
		if (m)
			assert_int_equal(m->file, i + 1);
		known += m != NULL;
	}
	return known;
}

/* More processes than there is room for, which map more than there is room for. */
static void test_bound_of_all(void **state)
{
	static struct map_history s[PROCESSES];
	size_t known;

	(void)state;
	heap_limit(heap_used() + ALL);
	for (size_t i = 0; i < PROCESSES; i++) {
		for (u64 k = 1; k <= EACH; k++)
			map(&s[i], k, k, k + 1, i + 1);
		map(&s[i], EACH, 1, 2, i + 1);
	}
	assert_in_range(bytes_of(s), ALL / 2, ALL);
	assert_false(
		heap_fits(HEAP_PROCESSES, EACH * sizeof(struct map_event)));
	known = check_all(s);
	print_message("# %zu of %d know their last mapping\n", known,
		      PROCESSES);
	assert_in_range(known, 300, PROCESSES - 1);
	for (size_t i = 0; i < PROCESSES; i++)
		map_history_settle(&s[i], EACH - 1);
	assert_true(heap_fits(HEAP_PROCESSES, EACH * sizeof(struct map_event)));
	assert_int_equal(check_all(s), known);
	for (size_t i = 0; i < PROCESSES; i++)
		map_history_settle(&s[i], EACH);
	assert_int_equal(bytes_of(s), 0);
	for (size_t i = 0; i < PROCESSES; i++)
		map_history_release(&s[i]);
	heap_limit(0);
}

/* A process with many mappings that forks without end. */
static void test_copies(void **state)
{
	static struct map_history s[PROCESSES];
	struct map_history parent = { 0 };
	size_t known = 0;

	(void)state;
	heap_limit(heap_used() + ALL);
	for (u64 k = 1; k <= 1000; k++)
		map(&parent, k, k, k + 1, k);
	for (size_t i = 0; i < PROCESSES; i++) {
		map_history_copy(&s[i], &parent, 0);
		if (map_history_find(&s[i], 1000, 7))
			known++;
		else
			assert_true(map_history_has_gap(&s[i], 999));
	}
	assert_in_range(bytes_of(s), ALL / 2, ALL);
	assert_in_range(known, 50, 200);
	for (size_t i = 0; i < PROCESSES; i++)
		map_history_release(&s[i]);
	/* There is room again. */
	map_history_copy(&s[0], &parent, 0);
	check(&s[0], 1000, 7, 7);
	map(&s[0], 1001, 7, 8, 1001);
	check(&s[0], 1001, 7, 1001);
	check(&s[0], 1000, 7, 7);
	map_history_release(&s[0]);
	map_history_release(&parent);
	heap_limit(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_copy_of_program),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_bound_of_all),
		cmocka_unit_test(test_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
