/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Texts by id. */
#include "user/profile/texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/intern.h"

static void test_find(void **state)
{
	struct intern *t = intern_new();
	char bytes[] = "::ns::proc and what follows";

	(void)state;
	assert_null(texts_find(t, 1));
	texts_add(t, 1, bytes, 10);
	bytes[0] = 'x';
	assert_string_equal(texts_find(t, 1), "::ns::proc");
	texts_add(t, 1, "other", 5);
	assert_string_equal(texts_find(t, 1), "::ns::proc");
	texts_add(t, 0, "", 0);
	assert_string_equal(texts_find(t, 0), "");
	/* A length that the bytes do not have. */
	texts_add(t, UINT64_MAX, "a\0b", 3);
	assert_string_equal(texts_find(t, UINT64_MAX), "a");
	assert_null(texts_find(t, 2));
	intern_free(t);
}

/* A text of the same bytes as an id is another thing, whichever comes first. */
static void test_text_like_an_id(void **state)
{
	const char like[9] = "8 bytes.";
	struct intern *t = intern_new();
	u64 id;

	(void)state;
	memcpy(&id, like, sizeof(id));
	texts_add(t, 1, like, 8);
	assert_null(texts_find(t, id));
	texts_add(t, id, "other", 5);
	assert_string_equal(texts_find(t, id), "other");
	assert_string_equal(texts_find(t, 1), like);
	texts_add(t, 2, like, 8);
	assert_string_equal(texts_find(t, 2), like);
	assert_string_equal(texts_find(t, id), "other");
	intern_free(t);
}

static void test_many(void **state)
{
	struct intern *t = intern_new();
	char text[32];

	(void)state;
	for (u64 i = 0; i < 200000; i++) {
		int len = snprintf(text, sizeof(text), "name %llu", i);

		texts_add(t, i << 40 | i, text, len);
	}
	for (u64 i = 0; i < 200000; i += 997) {
		snprintf(text, sizeof(text), "name %llu", i);
		assert_string_equal(texts_find(t, i << 40 | i), text);
	}
	intern_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_text_like_an_id),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
