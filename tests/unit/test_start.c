/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where programs begin, and which of them are an interpreter's shell. */
#include "user/symbolize/start.h"

#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/fixture.h"
#include "user/elf/module.h"
#include "walkers/walker.h"

int main(void);

static void open_at(struct module *m, const char *path)
{
	assert_int_equal(module_open(m, open(path, O_RDONLY | O_CLOEXEC), path),
			 0);
}

/* The program itself goes first. */
static int take_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(u64 *)bias = info->dlpi_addr;
	return 1;
}

static void test_main(void **state)
{
	struct module m;
	struct start s;
	u64 bias = 0;

	(void)state;
	dl_iterate_phdr(take_bias, &bias);
	open_at(&m, "/proc/self/exe");
	s = start_find(&m);
	assert_int_equal(s.main, (u64)(uintptr_t)main - bias);
	assert_true(s.entry && s.entry != s.main);
	assert_false(s.alone);
	module_close(&m);
	assert_int_equal(
		module_open(&m, fixture_open("native.so"), "native.so"), 0);
	s = start_find(&m);
	assert_int_equal(s.entry | s.main | s.alone, 0);
	module_close(&m);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(start_is_name("_start", false));
	assert_true(start_is_name("start_thread", true));
	assert_true(start_is_name("__libc_start_main_impl", true));
	/* Anybody's function can be called so. */
	assert_false(start_is_name("start_thread", false));
	assert_false(start_is_name("clone", false));
	assert_false(start_is_name("main", true));
}

static void test_shells(void **state)
{
	static const struct {
		const char *path, *walker; /* NULL: nobody's */
	} cases[] = {
		{ "/usr/bin/tclsh8.6", "tcl" },
		{ "/usr/bin/wish8.6", "tcl" },
		{ "/usr/lib/R/bin/exec/R", "r" },
		{ "/usr/lib/x86_64-linux-gnu/libtcl8.6.so", NULL },
		{ "/usr/lib/R/lib/libR.so", NULL },
		{ "/usr/lib/R/bin/Rscript", NULL },
		{ "/proc/self/exe", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct module m;

		print_message("# %s\n", cases[i].path);
		open_at(&m, cases[i].path);
		for (size_t k = 0; k < WALKER_COUNT; k++)
			assert_int_equal(start_is_shell(&m, walkers[k]),
					 cases[i].walker &&
						 !strcmp(cases[i].walker,
							 walkers[k]->name));
		module_close(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_main),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_shells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
