/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What share of the frames has no name, and which files are worth naming. */
#include "user/profile/unnamed.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/elf/module.h"

#define MODULES 5000

static char said[4096];

/* What unnamed_print() writes to standard error, in said. */
static void print(struct unnamed *u)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	unnamed_print(u);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(said, 1, sizeof(said) - 1, file);
	said[n] = '\0';
	fclose(file);
}

static void test_shares(void **state)
{
	struct module_code made = { 0 };
	struct module a = { .key.ino = 1,
			    .name = (char *)"a.so",
			    .build_id = { 0xab, 0x01 },
			    .build_id_len = 2 };
	struct module b = { .key.ino = 2, .name = (char *)"b.so" };
	struct module c = { .key.ino = 3, .name = (char *)"c.so" };
	struct module code = { .name = (char *)"[anonymous code]",
			       .code = &made };
	struct unnamed u = { 0 };

	(void)state;
	print(&u);
	assert_string_equal(said, "");
	unnamed_count(&u, &a, false, 500);
	unnamed_count(&u, &code, true, 100);
	print(&u);
	assert_string_equal(said, "");
	unnamed_count(&u, &b, true, 100);
	unnamed_count(&u, &a, true, 150);
	unnamed_count(&u, &a, true, 145);
	/* Less than a hundredth. */
	unnamed_count(&u, &c, true, 5);
	print(&u);
	assert_string_equal(
		said, "jpbpf: native frames without a name: 40.0 %\n"
		      "jpbpf:       29.5 %  a.so, build-id ab01\n"
		      "jpbpf:       10.0 %  b.so, build-id none\n"
		      "jpbpf:   for names, install the -dbgsym packages of "
		      "these or set DEBUGINFOD_URLS\n");
	unnamed_release(&u);
}

/* A file more than are remembered is counted all the same; three are shown. */
static void test_many(void **state)
{
	struct unnamed u = { 0 };

	(void)state;
	for (u64 i = 0; i < MODULES; i++) {
		struct module m = { .key.ino = i + 1, .name = (char *)"m" };

		unnamed_count(&u, &m, true, i < 4 ? 1000 : 1);
	}
	assert_int_equal(u.nameless, 4 * 1000 + MODULES - 4);
	print(&u);
	assert_non_null(strstr(said, ": 100.0 %\n"));
	assert_int_equal(strlen(strstr(said, "\n")),
			 strlen("\n") +
				 3 * strlen("jpbpf:       11.1 %  m, "
					    "build-id none\n") +
				 strlen("jpbpf:   for names, install the "
					"-dbgsym packages of these or set "
					"DEBUGINFOD_URLS\n"));
	unnamed_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
