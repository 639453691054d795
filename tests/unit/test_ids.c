/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* File ids: each is out once at a time, and comes again as late as can be. */
#include "user/files/ids.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#define LIMIT 5

static void take(struct ids *ids, u32 from, u32 to)
{
	for (u32 id = from; id <= to; id++)
		assert_int_equal(ids_take(ids), id);
}

/* New ones go first, also when old ones are back. */
static void test_new_first(void **state)
{
	struct ids ids;

	(void)state;
	ids_init(&ids, LIMIT);
	assert_int_equal(ids_left(&ids), LIMIT);
	take(&ids, 1, 3);
	ids_give(&ids, 2);
	assert_int_equal(ids_left(&ids), 3);
	take(&ids, 4, LIMIT);
	take(&ids, 2, 2);
	assert_int_equal(ids_take(&ids), 0);
	assert_int_equal(ids_left(&ids), 0);
	ids_release(&ids);
}

/* What was given back first comes first: as many others as can be lie between two uses
 * of an id. */
static void test_longest_back_first(void **state)
{
	static const u32 order[LIMIT] = { 4, 1, 5, 3, 2 };
	struct ids ids;

	(void)state;
	ids_init(&ids, LIMIT);
	take(&ids, 1, LIMIT);
	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 0; i < LIMIT; i++)
			ids_give(&ids, order[i]);
		assert_int_equal(ids_left(&ids), LIMIT);
		for (u32 i = 0; i < LIMIT; i++)
			assert_int_equal(ids_take(&ids), order[i]);
		assert_int_equal(ids_take(&ids), 0);
	}
	/* One that is taken at once is not the one just given back. */
	ids_give(&ids, 1);
	ids_give(&ids, 2);
	for (u32 i = 0; i < 100; i++) {
		u32 id = ids_take(&ids);

		assert_int_equal(id, 1 + i % 2);
		ids_give(&ids, id);
	}
	ids_release(&ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_first),
		cmocka_unit_test(test_longest_back_first),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
