/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How long a file's table may take: the clock is this test's own. */
#include "user/unwind/cfi.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "user/elf/module.h"

/* The clock that bounds the work, as this test wants it to run. */
static u64 clock_step_ns, clock_ns;

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (!clock_step_ns || id != CLOCK_THREAD_CPUTIME_ID)
		return syscall(SYS_clock_gettime, id, t);
	clock_ns += clock_step_ns;
	t->tv_sec = clock_ns / 1000000000;
	t->tv_nsec = clock_ns % 1000000000;
	return 0;
}

/* A file that takes too long is given up, and nothing is kept. */
static void test_too_long(void **state)
{
	struct cfi_table t;
	struct module m;
	Dl_info libc;
	int err, fd;

	(void)state;
	assert_true(dladdr((void *)printf, &libc));
	fd = open(libc.dli_fname, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(module_open(&m, fd, libc.dli_fname), 0);
	clock_step_ns = 1000000000;
	err = cfi_build(&t, &m, NULL, 0);
	clock_step_ns = 0;
	assert_int_equal(err, -E2BIG);
	assert_null(t.row);
	assert_null(t.rule);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
