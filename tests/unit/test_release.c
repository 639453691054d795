/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which kernel it is, whatever the distribution calls it. */
#include "user/cli/verb.h"

#include <linux/version.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void finds_upstream_version(void **state)
{
	static const struct {
		const char *release, *version, *signature;
		u32 found;
	} row[] = {
		{ "6.18.44", "#1 SMP", "", KERNEL_VERSION(6, 18, 44) },
		{ "6.5", "#1", "", KERNEL_VERSION(6, 5, 0) },
		{ "6.5-rc1", "#1", "", KERNEL_VERSION(6, 5, 0) },
		{ "6.1.0-18-amd64", "#1 SMP Debian 6.1.76-1 (2024-02-01)", "",
		  KERNEL_VERSION(6, 1, 76) },
		{ "6.2.0-39-generic", "#40~22.04.1-Ubuntu SMP",
		  "Ubuntu 6.2.0-39.40~22.04.1-generic 6.2.16",
		  KERNEL_VERSION(6, 2, 16) },
		{ "6.1.4", "#1 Debian testing", "nonsense here",
		  KERNEL_VERSION(6, 1, 4) },
		{ "banana", "", "", 0 },
		{ "6", "", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %s\n", row[i].release);
		assert_int_equal(check_release(row[i].release, row[i].version,
					       row[i].signature),
				 row[i].found);
	}
}

static void knows_what_a_release_means(void **state)
{
	static const struct {
		unsigned release[3];
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
		const unsigned *part = row[i].release;
		u32 r = KERNEL_VERSION(part[0], part[1], part[2]);

		print_message("# %u.%u.%u\n", part[0], part[1], part[2]);
		assert_int_equal(r >= KERNEL_VERSION(6, 1, 0), row[i].enough);
		assert_int_equal(check_may_freeze(r), row[i].may_freeze);
	}
}

/* As distributions name their kernels; what has been mended must be told by the
 * upstream version, wherever it stands. */
static void refuses_kernels_that_may_freeze(void **state)
{
	static const struct {
		const char *release, *version, *signature;
		bool enough, may_freeze;
	} row[] = {
		{ "5.10.0-32-amd64", "#1 SMP Debian 5.10.223-1 (2024-08-10)",
		  "", false, false },
		{ "5.14.0-503.11.1.el9_5.x86_64", "#1 SMP PREEMPT_DYNAMIC", "",
		  false, false },
		{ "5.15.0-113-generic", "#123-Ubuntu SMP",
		  "Ubuntu 5.15.0-113.123-generic 5.15.153", false, false },
		{ "5.19.0-50-generic", "#50-Ubuntu SMP",
		  "Ubuntu 5.19.0-50.50-generic 5.19.17", false, true },
		{ "6.0.0-0.deb11.6-amd64",
		  "#1 SMP Debian 6.0.12-1~bpo11+1 (2022-12-19)", "", false,
		  true },
		{ "6.1.0-9-amd64", "#1 SMP Debian 6.1.27-1 (2023-05-08)", "",
		  true, true },
		{ "6.1.0-10-amd64", "#1 SMP Debian 6.1.37-1 (2023-07-03)", "",
		  true, false },
		{ "6.1.0-50-cloud-amd64",
		  "#1 SMP Debian 6.1.176-1 (2026-07-02)", "", true, false },
		{ "6.1.34-58.102.amzn2023.x86_64", "#1 SMP", "", true, true },
		{ "6.1.41-63.114.amzn2023.x86_64", "#1 SMP", "", true, false },
		{ "6.2.0-26-generic", "#26~22.04.1-Ubuntu SMP",
		  "Ubuntu 6.2.0-26.26~22.04.1-generic 6.2.13", true, true },
		{ "6.2.16-3-pve", "#1 SMP PMX 6.2.16-3", "", true, true },
		{ "6.3.8-200.fc38.x86_64", "#1 SMP", "", true, true },
		{ "6.3.9-arch1-1", "#1 SMP", "", true, true },
		{ "6.3.12-200.fc38.x86_64", "#1 SMP", "", true, false },
		{ "6.4.0-150600.23.38-default", "#1 SMP", "", true, false },
		{ "6.5.0-44-generic", "#44~22.04.1-Ubuntu SMP",
		  "Ubuntu 6.5.0-44.44~22.04.1-generic 6.5.13", true, false },
		{ "6.12.107+deb13-rt-amd64",
		  "#1 SMP PREEMPT_RT Debian 6.12.107-1 (2026-09-01)", "", true,
		  false },
		{ "7.3-amd64", "#1 SMP Debian 7.3~rc7-1~exp1 (2026-11-01)", "",
		  true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		u32 r = check_release(row[i].release, row[i].version,
				      row[i].signature);

		print_message("# %s\n", row[i].release);
		assert_true(r);
		assert_int_equal(r >= KERNEL_VERSION(6, 1, 0), row[i].enough);
		assert_int_equal(check_may_freeze(r), row[i].may_freeze);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_upstream_version),
		cmocka_unit_test(knows_what_a_release_means),
		cmocka_unit_test(refuses_kernels_that_may_freeze),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
