/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which capabilities are missing from a set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/cli/capability.h"
#include "user/lib/buf.h"

static void reads_the_effective_set(void **state)
{
	(void)state;
	assert_int_equal(capability_effective("Name:\tx\nCapInh:\t0\n"
					      "CapPrm:\tffffffffffffffff\n"
					      "CapEff:\t000001c000000004\n"
					      "CapBnd:\t0000000000000001\n"),
			 0x1c000000004);
	assert_int_equal(capability_effective("Name:\tCapEff: 7\n"), 0);
	assert_int_equal(capability_effective(""), 0);
}

static void names_what_is_missing(void **state)
{
	static const struct {
		u64 effective;
		const char *missing, *optional;
	} row[] = {
		{ ~0ull, "", "" },
		{ 0,
		  "CAP_BPF CAP_PERFMON CAP_SYSLOG CAP_SYS_PTRACE "
		  "CAP_DAC_READ_SEARCH",
		  "CAP_CHECKPOINT_RESTORE" },
		{ 1ull << 39 | 1ull << 38 | 1ull << 34 | 1 << 19 | 1 << 2, "",
		  "CAP_CHECKPOINT_RESTORE" },
		{ 1 << 21, "CAP_SYS_PTRACE CAP_DAC_READ_SEARCH", "" },
		{ ~(1ull << 38 | 1 << 21), "CAP_PERFMON", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct buf missing = { 0 }, optional = { 0 };

		capability_missing(row[i].effective, false, &missing);
		capability_missing(row[i].effective, true, &optional);
		assert_string_equal(buf_text(&missing), row[i].missing);
		assert_string_equal(buf_text(&optional), row[i].optional);
		buf_release(&missing);
		buf_release(&optional);
	}
}

static void names_what_is_kept(void **state)
{
	struct buf names = { 0 };

	(void)state;
	capability_running(&names);
	assert_string_equal(buf_text(&names),
			    "CAP_BPF CAP_SYSLOG CAP_SYS_PTRACE "
			    "CAP_DAC_READ_SEARCH CAP_CHECKPOINT_RESTORE");
	buf_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_effective_set),
		cmocka_unit_test(names_what_is_missing),
		cmocka_unit_test(names_what_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
