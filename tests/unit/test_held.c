/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Samples that are kept, and their pages, as they wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/intake/held.h"
#include "user/intake/pages.h"

#define PAGES (PAGES_LIMIT / DEFERRED_PAGE)

static const u8 *page(u64 number)
{
	static u64 word[DEFERRED_PAGE / 8];

	word[0] = number;
	word[DEFERRED_PAGE / 8 - 1] = ~number;
	return (const u8 *)word;
}

static void stores_once(void **state)
{
	struct pages *p = pages_new();
	int a, b;

	(void)state;
	assert_non_null(p);
	a = pages_hold(p, 0x7000, page(1));
	b = pages_hold(p, 0x7000, page(2));
	assert_int_not_equal(a, b);
	assert_int_equal(pages_hold(p, 0x7000, page(1)), a);
	assert_int_equal(pages_bytes(p), 2 * DEFERRED_PAGE);
	/* It is there as long as anybody holds it. */
	pages_drop(p, a);
	assert_memory_equal(pages_at(p, a), page(1), DEFERRED_PAGE);
	pages_drop(p, a);
	assert_int_equal(pages_bytes(p), DEFERRED_PAGE);
	assert_memory_equal(pages_at(p, b), page(2), DEFERRED_PAGE);
	/* Its place serves again, and is found by what is there now. */
	assert_int_equal(pages_hold(p, 0x7000, page(3)), a);
	assert_int_equal(pages_hold(p, 0x7000, page(1)),
			 pages_hold(p, 0x8000, page(1)));
	assert_int_equal(pages_most(p), 3 * DEFERRED_PAGE);
	pages_free(p);
}

static void has_a_limit(void **state)
{
	struct pages *p = pages_new();
	u32 *held = xcalloc(PAGES, sizeof(*held));

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (u32 i = 0; i < PAGES; i++) {
			int n = pages_hold(p, 0x7000, page(i));

			assert_in_range(n, 0, PAGES - 1);
			held[i] = n;
		}
		assert_int_equal(pages_hold(p, 0x7000, page(PAGES)), -ENOSPC);
		/* What is there already needs no room. */
		assert_int_equal(pages_hold(p, 0x7000, page(7)), held[7]);
		pages_drop(p, held[7]);
		for (u32 i = 0; i < PAGES; i++) {
			assert_memory_equal(pages_at(p, held[i]), page(i),
					    DEFERRED_PAGE);
			pages_drop(p, held[i]);
		}
		assert_int_equal(pages_bytes(p), 0);
	}
	free(held);
	pages_free(p);
}

/* A record with words and pages: these have the numbers first, first + 1 ... */
static struct sample *record(u32 words, u32 pages, u64 first, size_t *len)
{
	struct sample *s;
	struct deferred *k;

	*len = sizeof(*s) + words * 8 + sizeof(*k) + pages * DEFERRED_PAGE;
	s = xcalloc(1, *len);
	s->type = RECORD_DEFERRED;
	s->words = words;
	k = (struct deferred *)&s->word[words];
	k->placed = words;
	for (u32 i = 0; i < pages; i++) {
		/* With gaps. */
		k->pages[i % DEFERRED_MASKS] |= 1ull << i / DEFERRED_MASKS;
		memcpy((u8 *)k->stack + i * DEFERRED_PAGE, page(first + i),
		       DEFERRED_PAGE);
	}
	return s;
}

static void keeps_a_record(void **state)
{
	static const u32 rows[][2] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 7, 3 },
		{ 300, DEFERRED_PAGES },
	};
	struct pages *p = pages_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len, size;
		struct sample *s = record(rows[i][0], rows[i][1], 100 * i,
					  &len),
			      *held;

		print_message("# %u words, %u pages\n", rows[i][0], rows[i][1]);
		size = held_size(s, len);
		assert_int_equal(
			size, len - rows[i][1] * (DEFERRED_PAGE - sizeof(u32)));
		held = xcalloc(1, size);
		assert_int_equal(held_make(held, s, p), 0);
		assert_true(held_valid(held, size));
		assert_false(held_valid(held, size - 1));
		assert_false(held_valid(held, size + 4));
		for (u32 n = 0; n < rows[i][1]; n++)
			assert_memory_equal(pages_at(p, held_page(held, n)),
					    page(100 * i + n), DEFERRED_PAGE);
		assert_int_equal(pages_bytes(p), rows[i][1] * DEFERRED_PAGE);
		held_drop(held, p);
		assert_int_equal(pages_bytes(p), 0);
		free(held);
		free(s);
	}
	pages_free(p);
}

static void refuses(void **state)
{
	size_t len;
	struct sample *s = record(4, 2, 0, &len);
	struct deferred *k = (struct deferred *)&s->word[4];

	(void)state;
	assert_int_equal(held_size(s, len - 1), 0);
	assert_int_equal(held_size(s, len + DEFERRED_PAGE), 0);
	assert_int_equal(held_size(s, sizeof(*s)), 0);
	k->placed = 5;
	assert_int_equal(held_size(s, len), 0);
	k->placed = 4;
	s->kernel_words = 5;
	assert_int_equal(held_size(s, len), 0);
	s->kernel_words = 0;
	assert_int_not_equal(held_size(s, len), 0);
	s->words = ~0u;
	assert_int_equal(held_size(s, len), 0);
	free(s);
}

/* What there is no room for leaves nothing behind. */
static void takes_all_or_none(void **state)
{
	struct pages *p = pages_new();
	size_t len;
	struct sample *s = record(1, 3, 10 * PAGES, &len), *held;

	(void)state;
	held = xcalloc(1, held_size(s, len));
	for (u32 i = 0; i < PAGES - 2; i++)
		pages_hold(p, 0x7000, page(i));
	assert_int_equal(held_make(held, s, p), -ENOSPC);
	assert_int_equal(pages_bytes(p), (PAGES - 2) * DEFERRED_PAGE);
	free(held);
	free(s);
	pages_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stores_once),
		cmocka_unit_test(has_a_limit),
		cmocka_unit_test(keeps_a_record),
		cmocka_unit_test(refuses),
		cmocka_unit_test(takes_all_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
