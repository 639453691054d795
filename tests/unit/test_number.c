/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Numbers on the command line: what is taken, what is refused and how. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "user/cli/number.h"

static void parses_one(void **state)
{
	static const struct {
		const char *text;
		int err;
		long value;
	} row[] = {
		{ "1", 0, 1 },
		{ "99", 0, 99 },
		{ "007", 0, 7 },
		{ "1000", 0, 1000 },
		{ "0", -EINVAL, -5 },
		{ "1001", -EINVAL, -5 },
		{ "-1", -EINVAL, -5 },
		{ "99999999999999999999", -EINVAL, -5 },
		{ "", -EINVAL, -5 },
		{ " 1", -EINVAL, -5 },
		{ "1 ", -EINVAL, -5 },
		{ "+1", -EINVAL, -5 },
		{ "0x10", -EINVAL, -5 },
		{ "9.5", -EINVAL, -5 },
		{ "-", -EINVAL, -5 },
		{ "9999999999999999999999x", -EINVAL, -5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		long value = -5;

		print_message("# '%s'\n", row[i].text);
		assert_int_equal(number_parse(row[i].text, 1, 1000, &value),
				 row[i].err);
		assert_int_equal(value, row[i].value);
	}
}

static void parses_seconds(void **state)
{
	static const struct {
		const char *text;
		int err;
		double value;
	} row[] = {
		{ "10", 0, 10 },	 { "0.5", 0, 0.5 },
		{ ".25", 0, 0.25 },	 { "2.", 0, 2 },
		{ "100", 0, 100 },	 { "100.5", -EINVAL, -5 },
		{ "0", -EINVAL, -5 },	 { "0.0", -EINVAL, -5 },
		{ "", -EINVAL, -5 },	 { ".", -EINVAL, -5 },
		{ "-1", -EINVAL, -5 },	 { "1e3", -EINVAL, -5 },
		{ "inf", -EINVAL, -5 },	 { "nan", -EINVAL, -5 },
		{ "0x10", -EINVAL, -5 }, { "1.2.3", -EINVAL, -5 },
		{ "10s", -EINVAL, -5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		double value = -5;

		print_message("# '%s'\n", row[i].text);
		assert_int_equal(number_parse_seconds(row[i].text, 100, &value),
				 row[i].err);
		assert_true(value == row[i].value);
	}
}

static void parses_lists(void **state)
{
	static const struct {
		const char *text;
		int err, ranges_err; /* without ranges, and with them */
		size_t n;	     /* what either gives when it succeeds */
		int number[4];
	} row[] = {
		{ "3", 0, 0, 1, { 3 } },
		{ "3,1,2", 0, 0, 3, { 1, 2, 3 } },
		{ "3,3,1,3", 0, 0, 2, { 1, 3 } },
		{ "0,2-3", -EINVAL, 0, 3, { 0, 2, 3 } },
		{ "1-3,2-4", -EINVAL, 0, 4, { 1, 2, 3, 4 } },
		{ "5-5", -EINVAL, 0, 1, { 5 } },
		{ "5-4", -EINVAL, -EINVAL, 0, { 0 } },
		{ "0-10", -EINVAL, -EINVAL, 0, { 0 } },
		{ "10", -EINVAL, -EINVAL, 0, { 0 } },
		{ "1,-2", -EINVAL, -EINVAL, 0, { 0 } },
		{ "", -EINVAL, -EINVAL, 0, { 0 } },
		{ ",", -EINVAL, -EINVAL, 0, { 0 } },
		{ "1,", -EINVAL, -EINVAL, 0, { 0 } },
		{ "1,,2", -EINVAL, -EINVAL, 0, { 0 } },
		{ "1-", -EINVAL, -EINVAL, 0, { 0 } },
		{ "1-2-3", -EINVAL, -EINVAL, 0, { 0 } },
		{ "1 2", -EINVAL, -EINVAL, 0, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# '%s'\n", row[i].text);
		for (int ranges = 0; ranges < 2; ranges++) {
			int *list = NULL;
			size_t n = 0;
			int err = ranges ? row[i].ranges_err : row[i].err;

			assert_int_equal(number_parse_list(row[i].text, 0, 9,
							   ranges, &list, &n),
					 err);
			if (!err)
				assert_int_equal(n, row[i].n);
			for (size_t j = 0; !err && j < n; j++)
				assert_int_equal(list[j], row[i].number[j]);
			free(list);
		}
	}
}

static void adds_to_a_list(void **state)
{
	int *list = NULL;
	size_t n = 0;

	(void)state;
	assert_int_equal(number_parse_list("5,7", 1, 9, false, &list, &n), 0);
	assert_int_equal(number_parse_list("6,7", 1, 9, false, &list, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(list[0], 5);
	assert_int_equal(list[1], 6);
	assert_int_equal(list[2], 7);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_one),
		cmocka_unit_test(parses_seconds),
		cmocka_unit_test(parses_lists),
		cmocka_unit_test(adds_to_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
