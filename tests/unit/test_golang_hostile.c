/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tables that are made to waste time and memory (golang_hostile.S, golang_headers.S).
 * The bounds are far above what they need; before there were any, each took five seconds
 * or 240 MB, and tables ten times as large are allowed.
 */
#include "user/elf/golang.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/cfi_find.h"
#include "tests/unit/fixture.h"
#include "user/lib/buf.h"
#include "tests/unit/native_reader.h"
#include "user/elf/module.h"
#include "user/unwind/cfi.h"

#define MANY	   32 /* address of the function with a row for each byte */
#define MANY_BYTES 70000
#define MAX_CPU_NS 2000000000ull
#define MAX_BYTES  (64u << 20)

static u64 began_ns;

static u64 cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static struct module open_fixture(const char *name)
{
	struct module m;

	assert_int_equal(module_open(&m, fixture_open(name), name), 0);
	began_ns = cpu_ns();
	return m;
}

static void in_time(void)
{
	u64 took = cpu_ns() - began_ns;

	print_message("# %llu ms\n", (unsigned long long)took / 1000000);
	assert_true(took < MAX_CPU_NS);
}

static void rules(void **state)
{
	static const struct {
		u64 vaddr;
		u8 kind;
		s32 cfa_off;
	} cases[] = {
		{ 0, UNWIND_CFA, 8 },
		{ 16, UNWIND_CFA, 8 },
		{ MANY, UNWIND_CFA, 8 },
		{ MANY + 1, UNWIND_CFA, 16 },
		{ MANY + GOLANG_MAX_ROWS - 1, UNWIND_CFA, 16 },
		{ MANY + GOLANG_MAX_ROWS, UNWIND_NONE, 0 },
		{ MANY + MANY_BYTES, UNWIND_CFA, 8 },
	};
	struct module m = open_fixture("golang_hostile.so");
	struct cfi_table t;

	(void)state;
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct unwind_rule *rule = cfi_find(&t, cases[i].vaddr);

		print_message("# %llu\n", (unsigned long long)cases[i].vaddr);
		assert_int_equal(rule->kind, cases[i].kind);
		assert_int_equal(rule->cfa_off, cases[i].cfa_off);
	}
	cfi_release(&t);
	module_close(&m);
	in_time();
}

static void names(void **state)
{
	static const struct {
		u64 vaddr;
		const char *name;
	} cases[] = {
		{ 0, "runtime.sigreturn" },
		{ 16, "main.plain" },
		{ MANY + MANY_BYTES - 1, "main.plain" },
	};
	struct module m = open_fixture("golang_hostile.so");
	struct native_said endless;
	struct mallinfo2 info;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		native_check_name(&m, cases[i].vaddr, cases[i].name);
	endless = native_said(&m, MANY + MANY_BYTES + 5);
	assert_int_equal(endless.name.len, 4096);
	native_said_release(&endless);
	info = mallinfo2();
	print_message("# %zu bytes\n", info.uordblks + info.hblkhd);
	assert_true(info.uordblks + info.hblkhd < MAX_BYTES);
	module_close(&m);
	in_time();
}

static void headers(void **state)
{
	struct module m = open_fixture("golang_headers.so");
	struct golang g;

	(void)state;
	assert_int_equal(golang_open(&g, &m), -ENOENT);
	module_close(&m);
	in_time();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(names),
		cmocka_unit_test(headers),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
