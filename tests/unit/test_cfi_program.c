/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Our own interpreter of call frame information against libdw's: every row of large
 * libraries is the same. */
#include "user/unwind/cfi_program.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/unit/cfi_libdw.h"
#include "user/elf/frames.h"
#include "user/elf/module.h"

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

struct at {
	Dwarf_CFI *cfi;
	u64 vaddr; /* rows so far cover everything of the function below */
	size_t rows;
};

static void check_at(struct at *a, u64 vaddr, const struct unwind_rule *ours)
{
	struct unwind_rule theirs;
	Dwarf_Frame *frame;

	assert_int_equal(dwarf_cfi_addrframe(a->cfi, vaddr, &frame), 0);
	libdw_classify(frame, &theirs);
	assert_memory_equal(ours, &theirs, sizeof(theirs));
	free(frame);
}

static int check_row(void *ctx, u64 end, const struct cfi_frame *row)
{
	struct unwind_rule ours;
	struct at *a = ctx;

	cfi_rule_classify(row, &ours);
	check_at(a, a->vaddr, &ours);
	check_at(a, end - 1, &ours);
	a->vaddr = end;
	a->rows++;
	return 0;
}

static bool check_same(const char *name, const char *function)
{
	struct cfi_program program;
	const struct frames *frames;
	struct at at = { 0 };
	struct module m;

	if (!open_library(&m, name, function))
		return false;
	frames = module_frames(&m);
	assert_non_null(frames);
	at.cfi = dwarf_getcfi_elf(module_handle(&m));
	assert_non_null(at.cfi);
	cfi_program_init(&program, frames);
	for (size_t i = 0; i < frames->n; i++) {
		const struct module_function *f = &frames->function[i];

		at.vaddr = f->start;
		assert_int_equal(cfi_program_rows(&program, f, check_row, &at),
				 0);
		assert_int_equal(at.vaddr, f->end);
	}
	assert_true(at.rows > frames->n);
	dwarf_cfi_end(at.cfi);
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
