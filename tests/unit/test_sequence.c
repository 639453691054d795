/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/intake/sequence.h"

/* What was given, one after the other. */
struct text {
	char at[64];
};

static void take(void *ctx, void *record, size_t len)
{
	struct text *text = ctx;

	assert_int_equal(len, 2);
	snprintf(text->at + strlen(text->at),
		 sizeof(text->at) - strlen(text->at), "%s",
		 (const char *)record);
	free(record);
}

/* Records of one character: each with the time that its digit says; a letter is of time
 * 5, and a capital one cannot wait. */
static void add(struct sequence *s, const char *records)
{
	for (; *records; records++) {
		char c = *records;

		sequence_add(s, c <= '9' ? c - '0' : 5, strndup(records, 1), 2,
			     c < 'A' || c > 'Z');
	}
}

static void test_order(void **state)
{
	static const struct {
		const char *added;
		u64 time[2]; /* up to which they are settled */
		const char *given[2];
		bool is_empty;
	} row[] = {
		{ "123", { 9, 9 }, { "123", "" }, true },
		{ "312", { 2, 9 }, { "12", "3" }, true },
		{ "7ba9a1", { 5, 8 }, { "1baa", "7" }, false },
		{ "9b3Ba", { 2, 6 }, { "B", "3ba" }, false },
		{ "12", { 0, 0 }, { "", "" }, false },
		/* What was held comes first among equals, and with the later ones. */
		{ "c3", { 1, 9 }, { "1", "23c99" }, true },
	};
	struct sequence s = { 0 }, more = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		add(&more, row[i].added);
		sequence_move(&s, &more);
		assert_int_equal(more.n, 0);
		print_message("# %s\n", row[i].added);
		for (size_t k = 0; k < 2; k++) {
			struct text text = { "" };

			sequence_give(&s, row[i].time[k], take, &text);
			assert_string_equal(text.at, row[i].given[k]);
		}
		assert_int_equal(!s.n, row[i].is_empty);
	}
	add(&s, "8");
	sequence_give(&s, 1, take, NULL);
	assert_true(s.n > 0);
	sequence_release(&s);
	assert_int_equal(s.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
