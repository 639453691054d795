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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
