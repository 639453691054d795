/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Records of the ring buffer that the kernel side would never write. */
#include "user/session/recorder.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

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
		{ RECORD_KEPT, 0, sizeof(struct sample), true },
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
		cmocka_unit_test(counts_what_makes_no_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
