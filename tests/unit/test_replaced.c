/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Samples by mappings that were replaced: those from then on, of that publication. */
#include "user/processes/replaced.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#define SECOND 1000000000ull

static void test_from_then_on(void **state)
{
	struct replaced s = { 0 };

	(void)state;
	assert_false(replaced_is(&s, 7, 5));
	replaced_note(&s, 7, 100);
	assert_false(replaced_is(&s, 7, 99));
	assert_true(replaced_is(&s, 7, 100));
	assert_true(replaced_is(&s, 7, 101));
	assert_false(replaced_is(&s, 8, 101));
	/* The first counts, in whatever order they are told. */
	replaced_note(&s, 7, 200);
	assert_true(replaced_is(&s, 7, 150));
	replaced_note(&s, 7, 50);
	assert_true(replaced_is(&s, 7, 60));
	replaced_release(&s);
	assert_int_equal(replaced_count(&s), 0);
}

static void test_bounded(void **state)
{
	struct replaced s = { 0 };

	(void)state;
	for (u32 i = 1; i <= 100000; i++) {
		replaced_note(&s, i, i * SECOND / 50);
		/* This one is told of again and again. */
		replaced_note(&s, ~0u, i * SECOND / 50);
	}
	/* The last minute, and what has come since room was made. */
	assert_in_range(replaced_count(&s), 3000, 4096);
	assert_true(replaced_is(&s, 100000, 2000 * SECOND));
	assert_true(replaced_is(&s, 97001, 2000 * SECOND));
	assert_true(replaced_is(&s, ~0u, SECOND));
	assert_false(replaced_is(&s, 100000, 1));
	replaced_release(&s);
}

/* Old ones leave when there are as many as are kept, not one later. */
static void test_limit(void **state)
{
	struct replaced s = { 0 };

	(void)state;
	for (u32 i = 1; i <= 4096; i++)
		replaced_note(&s, i, i);
	assert_int_equal(replaced_count(&s), 4096);
	replaced_note(&s, 5000, 100 * SECOND);
	assert_int_equal(replaced_count(&s), 1);
	assert_true(replaced_is(&s, 5000, 100 * SECOND));
	replaced_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_then_on),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
