/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The ways are rows of a table.  The first is the plain direct read, so that it is
 * the one that fills the caches and whose sample the test sees; the helper comes
 * last.  Where pages are left out some reads take the one way and some the other.
 */
#include "compare.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "self.h"

#define SECOND 1000000000ull

struct way {
	const char *name;
	u32 levels; /* 0: through the helper */
	u32 absent_one_in;
};

static const struct way ways[] = {
	{ "directly", 4, 0 },
	{ "with five levels", 5, 0 },
	{ "with a few pages absent", 4, 8 },
	{ "with half of the pages absent", 4, 2 },
	{ "with half of them absent, five levels", 5, 2 },
	{ "through the helper", 0, 0 },
};
#define WAYS (sizeof(ways) / sizeof(*ways))

enum compare_mode compare_mode;
static u64 seed;

static struct sample *take_by(const struct way *way,
			      struct sample *(*take)(void *ctx), void *ctx)
{
	u64 before = host_kernel_reads;
	struct sample *s;

	if (!way->levels)
		return take(ctx);
	host_page_begin(way->levels, HOST_PAGE_BASE, 0);
	host_page_fill(way->absent_one_in, ++seed);
	s = take(ctx);
	host_page_end();
	/* Is it what its name says? A page is looked up and read. */
	if (compare_mode != COMPARE_DIRECT && s->words > 3 &&
	    !way->absent_one_in)
		assert_true(host_kernel_reads > before + way->levels + 1);
	return s;
}

static void check_equal(const struct sample *a, const struct sample *b,
			const char *name)
{
	u32 n = a->words < b->words ? a->words : b->words;

	for (u32 i = 0; i < n; i++)
		if (a->word[i] != b->word[i])
			fail_msg("%s: word %u is %#llx, directly %#llx", name,
				 i, b->word[i], a->word[i]);
	if (a->words != b->words)
		fail_msg("%s: %u words, directly %u", name, b->words, a->words);
	assert_int_equal(a->status, b->status);
	assert_int_equal(a->kernel_words, b->kernel_words);
}

struct sample *compare_sample(struct sample *(*take)(void *ctx), void *ctx)
{
	struct sample *first, *s;

	if (compare_mode == COMPARE_OFF)
		return take(ctx);
	if (compare_mode == COMPARE_COLD)
		self_forget();
	first = take_by(&ways[0], take, ctx);
	for (size_t i = 1; i < WAYS && compare_mode != COMPARE_DIRECT; i++) {
		if (compare_mode == COMPARE_COLD)
			self_forget();
		/* What is reported once a second is reported again. */
		host_now += SECOND;
		s = take_by(&ways[i], take, ctx);
		check_equal(first, s, ways[i].name);
		free(s);
	}
	return first;
}
