/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which kernel it is, whatever the distribution calls it. */
#include "user/cli/release.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void finds_upstream_version(void **state)
{
	static const struct {
		const char *release, *version, *signature;
		int err;
		struct release found;
	} row[] = {
		{ "6.18.44", "#1 SMP", "", 0, { 6, 18, 44 } },
		{ "6.5", "#1", "", 0, { 6, 5, 0 } },
		{ "6.5-rc1", "#1", "", 0, { 6, 5, 0 } },
		{ "6.1.0-18-amd64",
		  "#1 SMP Debian 6.1.76-1 (2024-02-01)",
		  "",
		  0,
		  { 6, 1, 76 } },
		{ "6.2.0-39-generic",
		  "#40~22.04.1-Ubuntu SMP",
		  "Ubuntu 6.2.0-39.40~22.04.1-generic 6.2.16",
		  0,
		  { 6, 2, 16 } },
		{ "6.1.4",
		  "#1 Debian testing",
		  "nonsense here",
		  0,
		  { 6, 1, 4 } },
		{ "banana", "", "", -EINVAL, { 0, 0, 0 } },
		{ "6", "", "", -EINVAL, { 0, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct release r = { 0 };

		print_message("# %s\n", row[i].release);
		assert_int_equal(release_parse(&r, row[i].release,
					       row[i].version,
					       row[i].signature),
				 row[i].err);
		assert_memory_equal(&r, &row[i].found, sizeof(r));
	}
}

static void knows_what_a_release_means(void **state)
{
	static const struct {
		struct release release;
		bool enough, may_freeze;
	} row[] = {
		{ { 5, 18, 99 }, false, false }, { { 5, 19, 0 }, false, true },
		{ { 6, 0, 19 }, false, true },	 { { 6, 1, 0 }, true, true },
		{ { 6, 1, 35 }, true, true },	 { { 6, 1, 36 }, true, false },
		{ { 6, 1, 170 }, true, false },	 { { 6, 2, 0 }, true, true },
		{ { 6, 2, 16 }, true, true },	 { { 6, 3, 9 }, true, true },
		{ { 6, 3, 10 }, true, false },	 { { 6, 4, 0 }, true, false },
		{ { 7, 0, 0 }, true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const struct release *r = &row[i].release;

		print_message("# %u.%u.%u\n", r->major, r->minor, r->patch);
		assert_int_equal(release_at_least(r, 6, 1), row[i].enough);
		assert_int_equal(release_may_freeze(r), row[i].may_freeze);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_upstream_version),
		cmocka_unit_test(knows_what_a_release_means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
