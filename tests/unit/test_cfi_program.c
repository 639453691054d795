/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Our own interpreter of plain call frame information against libdw's: every row of
 * large libraries is the same.
 */
#include "user/unwind/cfi.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>

#include "user/target/module.h"

/* The library as the dynamic linker finds it. */
static bool open_library(struct module *m, const char *name, const char *in_it)
{
	void *handle = dlopen(name, RTLD_LAZY);
	void *address = handle ? dlsym(handle, in_it) : NULL;
	Dl_info info;
	int fd;

	if (!address || !dladdr(address, &info))
		return false;
	fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(module_open(m, fd, info.dli_fname), 0);
	return true;
}

/* As if nothing were known of the functions' entries: libdw does all rows. */
static void hide_entries(const struct module *m)
{
	const struct module_function *fn;
	size_t n;

	assert_int_equal(module_functions(m, &fn, &n), 0);
	for (size_t i = 0; i < n; i++)
		((struct module_function *)fn)[i].fde = 0;
}

/* Our own interpreter of plain rows against libdw's. */
static bool check_same(const char *name, const char *function)
{
	struct cfi_table ours, theirs;
	struct module m;

	if (!open_library(&m, name, function))
		return false;
	assert_int_equal(cfi_build(&ours, &m, NULL, 0), 0);
	hide_entries(&m);
	assert_int_equal(cfi_build(&theirs, &m, NULL, 0), 0);
	assert_int_equal(ours.rows, theirs.rows);
	assert_int_equal(ours.rules, theirs.rules);
	assert_int_equal(ours.unsupported, theirs.unsupported);
	for (size_t i = 0; i < ours.rows; i++) {
		assert_int_equal(ours.row[i].vaddr, theirs.row[i].vaddr);
		assert_memory_equal(&ours.rule[ours.row[i].rule],
				    &theirs.rule[theirs.row[i].rule],
				    sizeof(*ours.rule));
	}
	cfi_release(&ours);
	cfi_release(&theirs);
	module_close(&m);
	return true;
}

static void test_same_as_libdw(void **state)
{
	static const char *const library[][2] = {
		{ "libc.so.6", "printf" },
		{ "libm.so.6", "sin" },
		{ "libstdc++.so.6", "__cxa_throw" },
		{ "libtcl8.6.so", "Tcl_Eval" },
		{ "/usr/lib/R/lib/libR.so", "R_ReplDLLinit" },
		{ "libblas.so.3", "dgemm_" },
		{ "libcrypto.so.3", "SHA256_Init" },
		{ "libdw.so.1", "dwarf_begin" },
	};

	size_t compared = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(library) / sizeof(library[0]); i++)
		compared += check_same(library[i][0], library[i][1]);
	/* Tcl, R and its libraries may not be installed. */
	assert_in_range(compared, 3, sizeof(library) / sizeof(library[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_libdw),
	};

	return cmocka_run_group_tests_name("cfi_program", tests, NULL, NULL);
}
