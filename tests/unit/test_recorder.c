/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What walkers ask to be kept has its own share of the room; records that the kernel
 * side would never write are counted. */
#include "user/profile/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <jpbpf/status.h>

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
	assert_true(texts_bytes(r.texts) < MAX_BYTES / 8 + SCRIPT);
	assert_int_equal(r.status[HOST_SCRIPTS], 1);
	assert_null(texts_find(r.texts, id));
	/* What is there already needs no room. */
	assert_true(recorder_keep(&r, 1, script, SCRIPT));
	assert_false(recorder_keep(&r, id, script, SCRIPT));
	assert_int_equal(r.status[HOST_SCRIPTS], 2);
	assert_int_equal(r.status[HOST_TEXTS], 0);
	recorder_release(&r);
}

static void counts_what_makes_no_sense(void **state)
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
	const struct recorder_config config = { .max_bytes = 1 << 20 };
	u64 record[64], bad = 0;
	struct recorder r;

	(void)state;
	recorder_init(&r, &config);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# type %u, %u, %zu bytes\n", row[i].type,
			      row[i].second, row[i].len);
		memset(record, 0, sizeof(record));
		memcpy(record, &row[i].type, sizeof(u32));
		memcpy((u32 *)record + 1, &row[i].second, sizeof(u32));
		recorder_take(&r, record, row[i].len);
		bad += row[i].is_bad;
		assert_int_equal(r.status[HOST_RECORDS], bad);
	}
	assert_int_equal(r.samples, 1);
	recorder_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keep),
		cmocka_unit_test(counts_what_makes_no_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
