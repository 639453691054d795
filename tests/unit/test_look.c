/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A look: what was noted since it began may be something else by now. */
#include "user/kernel/look.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void add(struct look *l, u64 start, u64 end)
{
	l->area[l->areas++] = (struct area){ start, end };
}

static void test_hits(void **state)
{
	static const struct {
		u64 start, end;
		bool hits;
	} rows[] = {
		{ 0x1000, 0x3000, false }, { 0x1000, 0x3001, true },
		{ 0x4fff, 0x6000, true },  { 0x5000, 0x8000, false },
		{ 0x2000, 0x9000, true },  { 0x3800, 0x3900, true },
		{ 0x8800, 0x8900, true },  { 0x9000, 0xa000, false },
	};
	struct look l = { 0 };

	(void)state;
	look_begin(&l, 4711);
	assert_int_equal(l.pid, 4711);
	assert_false(look_hits(&l, 0, 0, ~0ull));
	add(&l, 0x3000, 0x5000);
	add(&l, 0x8000, 0x9000);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		print_message("# %llx-%llx\n", rows[i].start, rows[i].end);
		assert_int_equal(look_hits(&l, 0, rows[i].start, rows[i].end),
				 rows[i].hits);
	}
	/* What an entry has been held against is no news for that one. */
	l.serial[0] = 7;
	assert_false(look_hits(&l, 7, 0x3000, 0x5000));
	assert_true(look_hits(&l, 8, 0x3000, 0x5000));
	assert_true(look_hits(&l, 7, 0x8000, 0x9000));
	look_end(&l);
	assert_int_equal(l.pid, 0);
	look_begin(&l, 4712);
	assert_false(look_hits(&l, 0, 0, ~0ull));
}

/* One that is counted and not written yet can be anywhere; and there can be more than
 * there is room for. */
static void test_unwritten(void **state)
{
	struct look l = { 0 };

	(void)state;
	look_begin(&l, 1);
	l.areas = 1;
	assert_true(look_hits(&l, 0, 0x1000, 0x1001));
	look_begin(&l, 1);
	while (l.areas < LOOK_AREAS)
		add(&l, 0x1000, 0x2000);
	l.areas = 1000000;
	assert_true(look_hits(&l, 0, 0x1000, 0x1001));
	assert_false(look_hits(&l, 0, 0x2000, 0x2001));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hits),
		cmocka_unit_test(test_unwritten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
