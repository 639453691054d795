/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What walkers ask to be kept has its own share of the room. */
#include "user/profile/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <jpbpf/status.h>

#include "user/lib/intern.h"
#include "user/profile/texts.h"

#define MAX_BYTES (1u << 20)
#define SCRIPT	  10000

static void test_keep(void **state)
{
	const struct recorder_config config = { .max_bytes = MAX_BYTES };
	char script[SCRIPT + 1];
	struct recorder r;
	u64 id = 1;

	(void)state;
	recorder_init(&r, &config);
	memset(script, 'x', SCRIPT);
	script[SCRIPT] = '\0';
	while (recorder_keep(&r, id, script, SCRIPT)) {
		assert_int_equal(r.status[HOST_SCRIPTS], 0);
		assert_string_equal(texts_find(r.texts, id), script);
		id++;
	}
	assert_in_range(id, 10, 14);
	assert_true(intern_bytes(r.texts) < MAX_BYTES / 8 + SCRIPT);
	assert_int_equal(r.status[HOST_SCRIPTS], 1);
	assert_null(texts_find(r.texts, id));
	/* What is there already needs no room. */
	assert_true(recorder_keep(&r, 1, script, SCRIPT));
	assert_false(recorder_keep(&r, id, script, SCRIPT));
	assert_int_equal(r.status[HOST_SCRIPTS], 2);
	assert_int_equal(r.status[HOST_TEXTS], 0);
	recorder_release(&r);
}

/* A sample of code that was replaced says that it is cut, not what the kernel side found:
 * of its words those of the kernel stay. */
static void test_replaced(void **state)
{
	const struct recorder_config config = { .max_bytes = MAX_BYTES };
	struct {
		struct sample sample;
		u64 word[4];
	} s = { .sample = { .status = WALK_ROOT,
			    .pid = 7,
			    .words = 4,
			    .kernel_words = 1 } };
	struct recorder r;

	(void)state;
	recorder_init(&r, &config);
	r.status[WALK_ROOT] = 2;
	recorder_take(&r, &s.sample);
	assert_int_equal(r.status[CUT_REPLACED], 0);
	recorder_take_replaced(&r, &s.sample);
	assert_int_equal(r.status[CUT_REPLACED], 1);
	assert_int_equal(r.status[WALK_ROOT], 1);
	assert_int_equal(r.samples, 2);
	assert_int_equal(r.record_bytes, 2 * sizeof(s.sample) + (4 + 2) * 8);
	recorder_release(&r);
}

/* All words of the kernel stay, but no more than the kernel gives. */
static void test_replaced_words(void **state)
{
	static const struct {
		u32 words, kept;
	} row[] = { { 126, 127 }, { 127, 128 }, { 128, 1 } };
	const struct recorder_config config = { .max_bytes = MAX_BYTES };
	static struct {
		struct sample sample;
		u64 word[128];
	} s;
	struct recorder r;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %u\n", row[i].words);
		recorder_init(&r, &config);
		s.sample.words = s.sample.kernel_words = row[i].words;
		recorder_take_replaced(&r, &s.sample);
		assert_int_equal(r.record_bytes,
				 sizeof(s.sample) + row[i].kept * 8);
		recorder_release(&r);
	}
}

/* A status that nobody knows is none of the counters. */
static void test_unknown_status(void **state)
{
	static struct {
		struct recorder r;
		u64 behind;
	} s;

	(void)state;
	recorder_count(&s.r, WALK_STATUS_COUNT - 1);
	assert_int_equal(s.r.status[WALK_STATUS_COUNT - 1], 1);
	recorder_count(&s.r, WALK_STATUS_COUNT);
	assert_int_equal(s.behind, 0);
}

/* Texts have half of the room: one more is counted, one that is there is not. */
static void test_texts(void **state)
{
	const struct recorder_config config = { .max_bytes = MAX_BYTES };
	struct {
		struct text text;
		char more[1000];
	} t = { .text = { .len = 1000 } };
	struct recorder r;

	(void)state;
	recorder_init(&r, &config);
	memset(t.text.text, 'x', 1000);
	for (t.text.id = 1; intern_bytes(r.texts) < MAX_BYTES / 2; t.text.id++)
		recorder_take_text(&r, &t.text);
	assert_int_equal(r.status[HOST_TEXTS], 0);
	recorder_take_text(&r, &t.text);
	assert_int_equal(r.status[HOST_TEXTS], 1);
	assert_null(texts_find(r.texts, t.text.id));
	t.text.id = 1;
	recorder_take_text(&r, &t.text);
	assert_int_equal(r.status[HOST_TEXTS], 1);
	recorder_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_replaced_words),
		cmocka_unit_test(test_unknown_status),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
