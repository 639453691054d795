/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/kernel/events.h"
#include "user/intake/sequence.h"

/* What was given: the paths, one after the other. */
struct text {
	char at[64];
};

static void take(void *ctx, const struct mapwatch_event *e)
{
	struct text *text = ctx;

	snprintf(text->at + strlen(text->at),
		 sizeof(text->at) - strlen(text->at), "%s",
		 e->map.path ? e->map.path : "-");
}

/* Events by their paths, each with the time that its digit says; a letter is of time 5.
 * Until they are held the paths are the caller's, and gone after that. */
static char *add(struct sequence *s, const char *paths)
{
	char *bytes = calloc(strlen(paths) + 1, 2), *at = bytes;

	for (; *paths; paths++, at += 2) {
		struct mapwatch_event e = { .map.path = at };

		*at = *paths;
		e.time = *paths <= '9' ? *paths - '0' : 5;
		if (*paths == '-')
			e = (struct mapwatch_event){ .time = 5 };
		sequence_add(s, &e);
	}
	sequence_sort(s);
	return bytes;
}

static void test_order(void **state)
{
	static const struct {
		const char *added;
		u64 time[2]; /* up to which they are given */
		const char *given[2];
	} row[] = {
		{ "123", { 9, 9 }, { "123", "" } },
		{ "312", { 2, 9 }, { "12", "3" } },
		{ "7ba-9a1", { 5, 8 }, { "1ba-a", "7" } },
		{ "12", { 0, 0 }, { "", "" } },
		/* What was held comes first among equals, and with the later ones. */
		{ "c3", { 1, 9 }, { "1", "23c9" } },
	};
	struct sequence s = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char *paths = add(&s, row[i].added);

		print_message("# %s\n", row[i].added);
		for (size_t k = 0; k < 2; k++) {
			struct text text = { "" };

			sequence_give(&s, row[i].time[k], take, &text);
			assert_string_equal(text.at, row[i].given[k]);
			sequence_hold(&s);
			free(paths);
			paths = NULL;
		}
		/* Of the third row "9" is left, which the last one finds; and of
		 * the fourth all. */
		assert_int_equal(sequence_is_empty(&s),
				 i == 0 || i == 1 || i == 4);
	}
	free(add(&s, "8"));
	sequence_release(&s);
	assert_true(sequence_is_empty(&s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
