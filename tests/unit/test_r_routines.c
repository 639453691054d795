/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What r_routines.S registers, and what the libraries of Debian's R do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "tests/unit/fixture.h"
#include "user/lib/buf.h"
#include "tests/unit/native_reader.h"
#include "user/elf/module.h"
#include "walkers/r/derive/r_file.h"

#define LIBRARY "/usr/lib/R/library/"

static void open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		print_message("no %s\n", path);
		skip();
	}
	assert_int_equal(module_open(m, fd, path), 0);
}

static void open_own(struct module *m)
{
	int fd = fixture_open("r_routines.so");

	assert_int_equal(module_open(m, fd, "r_routines.so"), 0);
}

static void test_own(void **state)
{
	static const char *const names[] = { "one|uno", "two", "three",
					     "four" };
	struct r_functions r = { 0 };
	struct module m;
	u64 exported;

	(void)state;
	open_own(&m);
	assert_int_equal(r_routines_read(&r, &m), 0);
	assert_int_equal(r.n, 4);
	assert_int_equal(module_dynsym(&m, "exported", &exported, NULL), 0);
	/* One byte each, and so they lie. */
	for (size_t i = 0; i < r.n; i++) {
		assert_string_equal(r.at[i].name, names[i]);
		assert_int_equal(r.at[i].start, exported + 1 + i);
	}
	r_functions_release(&r);
	assert_int_equal(r.n, 0);
	module_close(&m);
}

/* A symbol goes before what was registered. */
static void test_names(void **state)
{
	static const char *const names[] = { "exported", "r_one", "r_two" };
	struct module m;
	u64 exported;

	(void)state;
	open_own(&m);
	assert_int_equal(module_dynsym(&m, "exported", &exported, NULL), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		native_check_name(&m, exported + i, names[i]);
	module_close(&m);
}

static const struct r_function *by_name(const struct r_functions *r,
					const char *name)
{
	for (size_t i = 0; i < r->n; i++) {
		if (!strcmp(r->at[i].name, name))
			return &r->at[i];
	}
	return NULL;
}

/* Registered by the four tables of stats: .C, .Call, .Fortran, .External. */
static void test_stats(void **state)
{
	static const char *const names[] = { "loess_raw",  "cfilter",
					     "fft",	   "optim",
					     "modelframe", "call_dqags" };
	struct r_functions r = { 0 };
	struct module m;

	(void)state;
	open_module(&m, LIBRARY "stats/libs/stats.so");
	assert_int_equal(r_routines_read(&r, &m), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct r_function *routine = by_name(&r, names[i]);

		if (!routine)
			print_error("no %s\n", names[i]);
		assert_non_null(routine);
		native_check_name(&m, routine->start + 1, names[i]);
	}
	for (size_t i = 1; i < r.n; i++)
		assert_true(r.at[i - 1].start < r.at[i].start);
	r_functions_release(&r);
	module_close(&m);
}

static void test_none(void **state)
{
	static const char *const files[] = {
		"/proc/self/exe",
		"/usr/lib/R/lib/libR.so",
	};
	struct r_functions r = { 0 };
	struct module m;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		open_module(&m, files[i]);
		assert_int_equal(r_routines_read(&r, &m), -ENOENT);
		assert_int_equal(r.n, 0);
		r_functions_release(&r);
		module_close(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
