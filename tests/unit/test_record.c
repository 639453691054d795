/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Records that the kernel side would never write are given to nobody. */
#include "user/intake/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"

static void count_sample(void *ctx, const struct sample *s)
{
	(void)s;
	++*(u32 *)ctx;
}

static void count_deferred(void *ctx, struct sample *s, size_t len)
{
	assert_true(len > 0);
	++*(u32 *)ctx;
	free(s);
}

static void count_text(void *ctx, const struct text *t)
{
	(void)t;
	++*(u32 *)ctx;
}

/* Gives a copy that ends where the record does. */
static bool give(const void *record, size_t len, const struct record_sink *sink)
{
	return record_give(memcpy(xmalloc(len), record, len), len, sink);
}

static void count_notice(void *ctx, const struct notice *n)
{
	(void)n;
	++*(u32 *)ctx;
}

static void refuses_what_makes_no_sense(void **state)
{
	static const struct {
		u32 type, second; /* words, or the length of a text */
		size_t len;
		bool is_bad;
	} row[] = {
		{ RECORD_SAMPLE, 0, sizeof(struct sample), false },
		{ RECORD_SAMPLE, 0, sizeof(struct sample) - 1, true },
		{ RECORD_SAMPLE, 1, sizeof(struct sample) + 7, true },
		{ RECORD_SAMPLE, ~0u, sizeof(struct sample) + 8, true },
		{ RECORD_DEFERRED, 0, sizeof(struct sample), true },
		{ RECORD_TEXT, 3, offsetof(struct text, text) + 4, false },
		{ RECORD_TEXT, 3, offsetof(struct text, text) + 2, true },
		{ RECORD_TEXT, TEXT_MAX, sizeof(struct text), true },
		{ RECORD_NOTICE, 0, sizeof(struct notice), false },
		{ RECORD_NOTICE, 0, sizeof(struct notice) - 1, true },
		{ 77, 0, 128, true },
		{ RECORD_SAMPLE, 0, 3, true },
	};
	u32 given = 0, sound = 0;
	const struct record_sink sink = { .sample = count_sample,
					  .deferred = count_deferred,
					  .text = count_text,
					  .notice = count_notice,
					  .ctx = &given,
					  .processes = &given,
					  .texts = &given };
	u64 record[64];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# type %u, %u, %zu bytes\n", row[i].type,
			      row[i].second, row[i].len);
		memset(record, 0, sizeof(record));
		memcpy(record, &row[i].type, sizeof(u32));
		memcpy((u32 *)record + 1, &row[i].second, sizeof(u32));
		assert_int_equal(give(record, row[i].len, &sink),
				 !row[i].is_bad);
		sound += !row[i].is_bad;
		assert_int_equal(given, sound);
	}
}

/* A deferred sample with words, and pages with gaps. */
static struct sample *deferred(u32 words, u32 pages, size_t *len)
{
	struct sample *s;
	struct deferred *d;

	*len = sizeof(*s) + words * 8 + sizeof(*d) + pages * DEFERRED_PAGE;
	s = xcalloc(1, *len);
	s->type = RECORD_DEFERRED;
	s->words = words;
	d = (struct deferred *)deferred_of(s);
	d->placed = words;
	for (u32 i = 0; i < pages; i++)
		d->pages[i % DEFERRED_MASKS] |= 1ull << i / DEFERRED_MASKS;
	return s;
}

static bool is_given(const struct sample *s, size_t len)
{
	u32 given = 0;
	const struct record_sink sink = { .deferred = count_deferred,
					  .ctx = &given,
					  .processes = &given,
					  .texts = &given };
	bool is_sound = give(s, len, &sink);

	assert_int_equal(given, is_sound);
	return is_sound;
}

static void takes_deferred(void **state)
{
	static const u32 rows[][2] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 7, 3 },
		{ 300, DEFERRED_PAGES },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len;
		struct sample *s = deferred(rows[i][0], rows[i][1], &len);

		print_message("# %u words, %u pages\n", rows[i][0], rows[i][1]);
		assert_true(is_given(s, len));
		assert_false(is_given(s, len - 1));
		free(s);
	}
}

static void refuses_deferred(void **state)
{
	size_t len;
	struct sample *s = deferred(4, 2, &len);
	struct deferred *d = (struct deferred *)deferred_of(s);

	(void)state;
	s = xreallocarray(s, 1, len + DEFERRED_PAGE);
	d = (struct deferred *)deferred_of(s);
	assert_false(is_given(s, len - 1));
	assert_false(is_given(s, len + DEFERRED_PAGE));
	assert_false(is_given(s, sizeof(*s)));
	d->placed = 5;
	assert_false(is_given(s, len));
	d->placed = 4;
	s->kernel_words = 5;
	assert_false(is_given(s, len));
	s->kernel_words = 0;
	assert_true(is_given(s, len));
	s->words = ~0u;
	assert_false(is_given(s, len));
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_makes_no_sense),
		cmocka_unit_test(takes_deferred),
		cmocka_unit_test(refuses_deferred),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
