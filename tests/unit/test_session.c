/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One run after another in one process: each finds what is its own, and leaves signals,
 * limits and descriptors as they were. */
#include "user/session/session.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/kernel/events.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define RUNS 3

static size_t descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* How many samples have such a stack. */
static long count_of(const char *path, const char *stack)
{
	FILE *f = fopen(path, "r");
	char line[4096];
	long n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, stack, strlen(stack)))
			n += strtol(strrchr(line, ' '), NULL, 10);
	fclose(f);
	return n;
}

/* The program makes so many page faults. */
static void run(const char *event, char *pages, const char *output)
{
	const char *build = getenv("BUILD");
	char *program =
		xasprintf("%s/tests/programs/touch", build ? build : "build");
	char *command[] = { program, pages, NULL };
	struct session_config config = {
		.version = "",
		.told = (char []){ "" },
		.engine = { .sources = 1u << (source_find(event) - sources),
			    .frequency = 99,
			    },
		.output = output,
		.format = "folded",
		.max_memory = 64,
		.command = command,
		.again = true,
	};

	assert_int_equal(session_run(&config), STATUS_DONE);
	free(program);
}

static void test_again(void **state)
{
	char many[] = "500", one[] = "1", more[] = "700";
	char *const pages[RUNS] = { many, one, more };
	char path[] = "/tmp/test_session.XXXXXX";
	struct sigaction before, after;
	struct rlimit had, has;
	size_t open_before = 0;

	(void)state;
	if (geteuid())
		skip();
	close(mkstemp(path));
	log_set_level(LOG_QUIET);
	getrlimit(RLIMIT_NOFILE, &had);
	sigaction(SIGINT, NULL, &before);
	for (int i = 0; i < RUNS; i++) {
		run(i == 1 ? "cpu-clock" : "minor-faults", pages[i], path);
		if (i != 1)
			assert_int_equal(count_of(path,
						  "touch;main;touch_pages;"
						  "touch_each "),
					 strtol(pages[i], NULL, 10));
		/* What signals wake by stays after the first. */
		assert_true(!i || descriptors() == open_before);
		open_before = descriptors();
	}
	sigaction(SIGINT, NULL, &after);
	getrlimit(RLIMIT_NOFILE, &has);
	assert_ptr_equal(after.sa_handler, before.sa_handler);
	assert_int_equal(has.rlim_cur, had.rlim_cur);
	assert_int_equal(has.rlim_max, had.rlim_max);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_again) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
