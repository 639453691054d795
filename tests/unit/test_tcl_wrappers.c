/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions that call a command's own, in the machine code of tcl_wrappers.S. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "user/elf/module.h"
#include "walkers/tcl/derive/tcl_found.h"

static void open_fixture(struct module *m)
{
	char path[4096];

	*m = (struct module){ 0 };
	snprintf(path, sizeof(path), "%s/unit/tcl_wrappers.so",
		 getenv("JPBPF_TEST_DIR") ? getenv("JPBPF_TEST_DIR")
					  : "build/tests");
	assert_int_equal(module_open(m, open(path, O_RDONLY | O_CLOEXEC), path),
			 0);
}

static void test_found(void **state)
{
	struct tcl_found t = { .stubs.major = 9 };
	const struct tcl_wrapper *w = t.file.wrapper;
	struct module m;
	u64 vaddr;

	(void)state;
	open_fixture(&m);
	assert_int_equal(module_dynsym(&m, "stubs", &t.stubs.table, NULL), 0);
	tcl_functions_find(&t, &m);
	assert_int_equal(module_dynsym(&m, "wrapper", &vaddr, NULL), 0);
	assert_int_equal(w[0].vaddr, vaddr);
	assert_int_equal(w[0].proc, 0);
	assert_int_equal(module_dynsym(&m, "nre_wrapper", &vaddr, NULL), 0);
	assert_int_equal(w[1].vaddr, vaddr);
	assert_int_equal(w[1].proc, 32);
	module_close(&m);
}

static void test_none_in_8(void **state)
{
	struct tcl_found t = { .stubs.major = 8 };
	const struct tcl_wrapper *w = t.file.wrapper;
	struct module m;

	(void)state;
	open_fixture(&m);
	assert_int_equal(module_dynsym(&m, "stubs", &t.stubs.table, NULL), 0);
	tcl_functions_find(&t, &m);
	assert_int_equal(w[0].vaddr, 0);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_none_in_8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
