/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which files a command will map. */
#include "user/elf/needed.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct seen {
	size_t n;
	bool tclsh, libtcl, libc;
};

static void see(void *ctx, const char *path)
{
	struct seen *s = ctx;

	s->n++;
	s->tclsh |= strstr(path, "/tclsh8.6") != NULL;
	s->libtcl |= strstr(path, "/libtcl8.6.so") != NULL;
	s->libc |= strstr(path, "/libc.so.6") != NULL;
}

static struct seen look(const char *command)
{
	struct seen s = { 0 };

	needed_files(command, see, &s);
	return s;
}

static void check_tclsh(const struct seen *s)
{
	assert_true(s->tclsh);
	assert_true(s->libtcl);
	assert_true(s->libc);
	assert_in_range(s->n, 4, 20);
}

static void test_program(void **state)
{
	struct seen s = look("tclsh8.6");

	(void)state;
	check_tclsh(&s);
}

static void test_script(void **state)
{
	char path[] = "/tmp/test_needed.XXXXXX";
	int fd = mkstemp(path);
	struct seen s;

	(void)state;
	assert_true(fd >= 0);
	dprintf(fd, "#!/usr/bin/env tclsh8.6\nputs hello\n");
	close(fd);
	s = look(path);
	unlink(path);
	check_tclsh(&s);
}

/* The loader is always asked for; nothing else is found. */
static void test_nothing(void **state)
{
	static const char *const commands[] = { "no such command", "/nowhere",
						"", "/", "/dev/null" };

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct seen s = look(commands[i]);

		print_message("# '%s'\n", commands[i]);
		assert_false(s.tclsh || s.libtcl);
		assert_true(s.n <= 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_script),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
