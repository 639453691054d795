/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A command runs when it is let run, and not otherwise. */
#include "user/session/command.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/command-XXXXXX";
static char made[sizeof(folder) + sizeof("/made")];
static char mkdir_name[] = "mkdir";

static bool has_run(void)
{
	struct stat st;

	if (stat(made, &st))
		return false;
	assert_int_equal(rmdir(made), 0);
	return true;
}

static void runs_when_started(void **state)
{
	char *argv[] = { mkdir_name, made, NULL };
	struct command c;
	int status = -1;

	(void)state;
	assert_int_equal(command_prepare(&c, argv), 0);
	assert_int_equal(command_start(&c, argv[0]), 0);
	assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
	assert_int_equal(status, 0);
	assert_true(has_run());
	c.pid = 0;
	command_release(&c);
}

/* What does not end when it is asked to has an end all the same. */
static void runs_not_when_released(void **state)
{
	char *argv[] = { mkdir_name, made, NULL };
	void (*before)(int) = signal(SIGTERM, SIG_IGN);
	struct command c;

	(void)state;
	for (int i = 0; i < 20; i++) {
		/* At last as it is: with nothing that ignores the signal. */
		if (i == 10)
			signal(SIGTERM, before);
		assert_int_equal(command_prepare(&c, argv), 0);
		command_release(&c);
		assert_int_equal(c.pid, 0);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(errno, ECHILD);
		assert_false(has_run());
	}
}

static void tells_what_failed(void **state)
{
	char *argv[] = { made, NULL };
	struct command c;

	(void)state;
	assert_int_equal(command_prepare(&c, argv), 0);
	assert_int_equal(command_start(&c, argv[0]), -ENOENT);
	command_release(&c);
	/* It was killed before. */
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(command_prepare(&c, argv), 0);
	kill(c.pid, SIGKILL);
	assert_int_equal(waitpid(c.pid, NULL, 0), c.pid);
	assert_int_equal(command_start(&c, argv[0]), -EPIPE);
	c.pid = 0;
	command_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_when_started),
		cmocka_unit_test(runs_not_when_released),
		cmocka_unit_test(tells_what_failed),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	stpcpy(stpcpy(made, folder), "/made");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
