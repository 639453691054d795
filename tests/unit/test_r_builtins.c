/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_FunTab of Debian's libR.so 4.2.2.20221110-2, and tables of our own: the
 * test's executable is itself a file with relocated tables.
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
#include <link.h>

#include "user/elf/module.h"
#include "walkers/r/derive/r_file.h"

#define LIBR "/usr/lib/R/lib/libR.so"

struct funtab {
	const char *name;
	void (*cfun)(void);
	int code, eval, arity, gram[3];
};

_Static_assert(sizeof(struct funtab) == 40, "as in R");

static volatile int sink;

static void do_one(void)
{
	sink = 1;
}

static void do_two(void)
{
	sink = 2;
}

static void do_three(void)
{
	sink = 3;
}

static void do_four(void)
{
	sink = 4;
}

#define LONG16 "0123456789abcdef"
#define LONG64 LONG16 LONG16 LONG16 LONG16

static struct funtab whole[] = {
	{ .name = "two.d", .cfun = do_two, .eval = 1 },
	{ .name = "one", .cfun = do_one, .eval = 11 },
	{ .name = "two.a", .cfun = do_two, .eval = 1 },
	{ .name = "two.b", .cfun = do_two, .eval = 1 },
	{ .name = "bad\033[2J", .cfun = do_one, .eval = 11 },
	{ .name = "bad\n", .cfun = do_one, .eval = 11 },
	{ .name = "", .cfun = do_one, .eval = 11 },
	{ .name = LONG64, .cfun = do_one, .eval = 11 },
	{ .name = "no function", .cfun = NULL },
	{ .name = "two.c", .cfun = do_two, .eval = 1 },
	{ .name = "three.b", .cfun = do_three, .eval = 111 },
	{ .name = "three.a", .cfun = do_three, .eval = 111 },
	/* Specials: alone, and one that shares a builtin's function. */
	{ .name = "four", .cfun = do_four, .eval = 200 },
	{ .name = "two.special", .cfun = do_two, .eval = 10 },
	{ .name = NULL },
};

static struct funtab endless[] = {
	{ .name = "one", .cfun = do_one },
	{ .name = "two", .cfun = do_two },
};

static struct funtab empty[] = {
	{ .name = NULL },
	{ .name = "one", .cfun = do_one },
};

static int find_base(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size;
	*(u64 *)ctx = info->dlpi_addr;
	return 1; /* the executable comes first */
}

static u64 vaddr(const void *p)
{
	u64 base = 0;

	dl_iterate_phdr(find_base, &base);
	return (uintptr_t)p - base;
}

static void open_module(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		print_message("no %s\n", path);
		skip();
	}
	assert_int_equal(module_open(m, fd, path), 0);
}

static void test_own_table(void **state)
{
	struct r_functions b = { 0 };
	struct module m;

	(void)state;
	open_module(&m, "/proc/self/exe");
	assert_int_equal(r_builtins_read(&b, &m, vaddr(whole), sizeof(whole)),
			 14);
	assert_int_equal(b.n, 4);
	assert_string_equal(
		r_functions_name(&b, vaddr((void *)(uintptr_t)do_one)), "one");
	assert_string_equal(
		r_functions_name(&b, vaddr((void *)(uintptr_t)do_two)),
		"two.d|two.a|two.b|two.c");
	assert_string_equal(
		r_functions_name(&b, vaddr((void *)(uintptr_t)do_three)),
		"three.b|three.a");
	assert_null(r_functions_name(&b, vaddr((void *)(uintptr_t)do_four)));
	assert_null(r_functions_name(&b, vaddr((void *)(uintptr_t)do_one) + 1));
	r_functions_release(&b);
	assert_null(r_functions_name(&b, 1));
	module_close(&m);
}

static int read_one(const struct module *m, u64 table, u64 size)
{
	struct r_functions b = { 0 };
	int entries = r_builtins_read(&b, m, table, size);

	r_functions_release(&b);
	assert_int_equal(b.n, 0);
	return entries;
}

static void test_no_table(void **state)
{
	struct module m;

	(void)state;
	open_module(&m, "/proc/self/exe");
	assert_int_equal(read_one(&m, vaddr(endless), sizeof(endless)),
			 -EINVAL);
	assert_int_equal(read_one(&m, vaddr(empty), sizeof(empty)), -EINVAL);
	assert_int_equal(read_one(&m, vaddr(whole), 0), -EINVAL);
	assert_int_equal(read_one(&m, vaddr(whole), ~0ull), -EINVAL);
	assert_int_equal(read_one(&m, vaddr(whole) + 1, 400), -EINVAL);
	assert_int_equal(read_one(&m, 0x7ffffffff000, 400), -EINVAL);
	module_close(&m);
}

static const struct r_function *by_name(const struct r_functions *b,
					const char *name)
{
	for (size_t i = 0; i < b->n; i++) {
		if (b->at[i].name && !strcmp(b->at[i].name, name))
			return &b->at[i];
	}
	return NULL;
}

static void test_libr(void **state)
{
	static const char *const names[] = {
		"unlist",
		"paste|paste0",
		".Call",
		"floor|ceiling|sqrt|sign|exp|expm1|log1p|cos|sin|tan|acos|asin"
		"|atan|cosh|sinh|tanh|acosh|asinh|atanh|lgamma|gamma|digamma"
		"|trigamma|cospi|sinpi|tanpi",
	};
	/* Specials name nothing. */
	static const char *const none[] = { "lapply", "repeat", "UseMethod" };
	const struct r_function *f;
	struct r_functions b = { 0 };
	struct module m;
	u64 table, size;

	(void)state;
	open_module(&m, LIBR);
	if (m.build_id_len < 4 || memcmp(m.build_id, "\xec\x19\x70\xcd", 4)) {
		print_message(LIBR " is another build than the known one\n");
		module_close(&m);
		skip();
	}
	assert_int_equal(module_dynsym(&m, "R_FunTab", &table, &size), 0);
	assert_int_equal(r_builtins_read(&b, &m, table, size), 744);
	assert_int_equal(b.n, 476);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		f = by_name(&b, names[i]);
		if (!f)
			print_error("no %s\n", names[i]);
		assert_non_null(f);
		assert_ptr_equal(r_functions_name(&b, f->start), f->name);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(by_name(&b, none[i]));
	for (size_t i = 1; i < b.n; i++)
		assert_true(b.at[i - 1].start < b.at[i].start);
	r_functions_release(&b);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_table),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_libr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
