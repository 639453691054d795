/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which capabilities are missing from a set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "user/kernel/privilege.h"
#include "user/lib/buf.h"

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

		privilege_lacking(row[i].effective, PRIVILEGE_START, &missing,
				  &optional);
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
	privilege_lacking(0, PRIVILEGE_RUN, &names, &names);
	assert_string_equal(buf_text(&names),
			    "CAP_BPF CAP_SYSLOG CAP_SYS_PTRACE "
			    "CAP_DAC_READ_SEARCH CAP_CHECKPOINT_RESTORE");
	buf_release(&names);
}

/* The effective set is the one that the kernel shows. */
static void knows_its_own_set(void **state)
{
	FILE *f = fopen("/proc/thread-self/status", "re");
	char line[256];
	u64 shown = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		sscanf(line, "CapEff: %llx", &shown);
	fclose(f);
	assert_int_equal(privilege_effective(), shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_its_own_set),
		cmocka_unit_test(names_what_is_missing),
		cmocka_unit_test(names_what_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
