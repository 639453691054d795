/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Samples by mappings that were replaced: those from then on, of that publication. */
#include "user/processes/replaced.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#define SECOND 1000000000ull

static const struct area place = { 0x2000, 0x5000 };

static void test_from_then_on(void **state)
{
	struct replaced s = { 0 };

	(void)state;
	assert_false(replaced_is(&s, 7, 5));
	replaced_note(&s, 7, 100, 100, &place);
	assert_false(replaced_is(&s, 7, 99));
	assert_true(replaced_is(&s, 7, 100));
	assert_true(replaced_is(&s, 7, 101));
	assert_false(replaced_is(&s, 8, 101));
	/* The first counts, in whatever order they are told. */
	replaced_note(&s, 7, 200, 200, &place);
	assert_true(replaced_is(&s, 7, 150));
	replaced_note(&s, 7, 200, 50, &place);
	assert_true(replaced_is(&s, 7, 60));
	replaced_release(&s);
	assert_int_equal(replaced_count(&s), 0);
}

static void test_bounded(void **state)
{
	struct replaced s = { 0 };

	(void)state;
	for (int dated = 0; dated < 2; dated++) {
		print_message("# %s\n", dated ? "dated" : "of all samples");
		for (u32 i = 1; i <= 100000; i++) {
			u64 now = i * SECOND / 50;

			replaced_note(&s, i, now, dated ? now : 0, &place);
			/* This one is told of again and again. */
			replaced_note(&s, ~0u, now, 1, &place);
		}
		/* The last minute, and what has come since room was made. */
		assert_in_range(replaced_count(&s), 3000, 4096);
		assert_true(replaced_is(&s, 100000, 2000 * SECOND));
		assert_true(replaced_is(&s, 97001, 2000 * SECOND));
		assert_true(replaced_is(&s, ~0u, 2000 * SECOND));
		assert_int_equal(replaced_is(&s, 100000, 1), !dated);
		replaced_release(&s);
	}
}

/* The kernel side leaves something out from then on: under another serial. */
static void test_follow(void **state)
{
	static const struct {
		struct area lacks;
		u64 since; /* stale; 0: not */
	} rows[] = {
		{ { 0x2000, 0x5000 }, 0 },   { { 0, ~0ull }, 0 },
		{ { 0x1000, 0x1800 }, 100 }, { { 0x2000, 0x3000 }, 200 },
		{ { 0x2000, 0x4fff }, 200 }, { { 0x2001, 0x5000 }, 100 },
		{ { 0x3000, 0x5000 }, 100 },
	};
	struct replaced s = { 0 };

	(void)state;
	replaced_follow(&s, 7, 8, 300, &place);
	assert_int_equal(replaced_count(&s), 0);
	replaced_note(&s, 7, 300, 200, &(struct area){ 0x4000, 0x5000 });
	replaced_note(&s, 7, 300, 100, &(struct area){ 0x2000, 0x3000 });
	replaced_note(&s, 7, 300, 300, &(struct area){ 0x2000, 0x2800 });
	for (u32 i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		u64 since = rows[i].since;

		print_message("# %llx-%llx\n", rows[i].lacks.start,
			      rows[i].lacks.end);
		replaced_follow(&s, 7, 10 + i, 300, &rows[i].lacks);
		assert_int_equal(replaced_is(&s, 10 + i, 1000), since != 0);
		if (!since)
			continue;
		assert_true(replaced_is(&s, 10 + i, since));
		assert_false(replaced_is(&s, 10 + i, since - 1));
	}
	replaced_release(&s);
}

/* However much is replaced, none of it is forgotten. */
static void test_many_places(void **state)
{
	struct replaced s = { 0 };

	(void)state;
	for (u64 i = 1; i <= 1000; i++)
		replaced_note(
			&s, 7, i * 10, i * 10,
			&(struct area){ i * 0x2000, i * 0x2000 + 0x1000 });
	replaced_follow(&s, 7, 8, 10000, &(struct area){ 0, 900 * 0x2000 });
	assert_true(replaced_is(&s, 8, 10000));
	replaced_follow(&s, 7, 9, 10000, &(struct area){ 0, 1001 * 0x2000 });
	assert_false(replaced_is(&s, 9, 10000));
	replaced_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_then_on),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_many_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
