/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The tables of a module: .dynsym, dynamic relocations, .eh_frame. */
#include "user/elf/module.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/elf_image.h"

static void test_dynsym(void **state)
{
	struct module m = open_image();
	u64 vaddr = 0, size = 0;

	(void)state;
	assert_int_equal(module_dynsym(&m, "alpha", &vaddr, &size), 0);
	assert_int_equal(vaddr, 0x3008);
	assert_int_equal(size, 16);
	/* Of two versions the default one. */
	assert_int_equal(module_dynsym(&m, "twice", &vaddr, NULL), 0);
	assert_int_equal(vaddr, 0x1820);
	assert_int_equal(module_dynsym(&m, "missing", &vaddr, NULL), -ENOENT);
	assert_int_equal(module_dynsym(&m, "absolute", &vaddr, NULL), -ENOENT);
	assert_int_equal(module_dynsym(&m, "tls", &vaddr, NULL), -ENOENT);
	assert_int_equal(module_dynsym(&m, "alph", &vaddr, NULL), -ENOENT);
	assert_int_equal(module_dynsym(&m, "alphaa", &vaddr, NULL), -ENOENT);
	assert_int_equal(module_dynsym(&m, "", &vaddr, NULL), -ENOENT);
	module_close(&m);
}

struct seen {
	struct module_reloc r[16];
	int n, stop_at;
};

static int see(const struct module_reloc *r, void *ctx)
{
	struct seen *seen = ctx;

	seen->r[seen->n++] = *r;
	return seen->n == seen->stop_at ? 42 : 0;
}

static void test_relocs(void **state)
{
	static const struct module_reloc expected[] = {
		{ 0x3008, R_X86_64_RELATIVE, 0x1820, NULL, 0 },
		{ 0x3000, R_X86_64_RELATIVE, 0x1810, NULL, 0 },
		{ 0x3010, R_X86_64_64, 3, "alpha", 0x3008 },
		{ 0x3018, R_X86_64_JUMP_SLOT, 0, "missing", 0 },
		{ 0x3020, R_X86_64_RELATIVE, 0x1111, NULL, 0 },
		{ 0x3028, R_X86_64_RELATIVE, 0x2222, NULL, 0 },
		{ 0x3038, R_X86_64_RELATIVE, 0x3333, NULL, 0 },
	};
	struct module m = open_image();
	struct seen seen = { .n = 0 };
	int i;

	(void)state;
	assert_int_equal(module_each_reloc(&m, see, &seen), 0);
	assert_int_equal(seen.n, 7);
	for (i = 0; i < seen.n; i++) {
		assert_int_equal(seen.r[i].vaddr, expected[i].vaddr);
		assert_int_equal(seen.r[i].type, expected[i].type);
		assert_int_equal(seen.r[i].addend, expected[i].addend);
		assert_int_equal(seen.r[i].symbol_vaddr,
				 expected[i].symbol_vaddr);
		if (expected[i].symbol)
			assert_string_equal(seen.r[i].symbol,
					    expected[i].symbol);
		else
			assert_null(seen.r[i].symbol);
	}
	seen = (struct seen){ .stop_at = 2 };
	assert_int_equal(module_each_reloc(&m, see, &seen), 42);
	assert_int_equal(seen.n, 2);
	module_close(&m);
}

static void test_relative(void **state)
{
	static const struct {
		u64 vaddr;
		int err;
		u64 target;
	} row[] = {
		{ 0x3000, 0, 0x1810 },	{ 0x3008, 0, 0x1820 },
		{ 0x3010, -ENOENT, 0 }, { 0x3018, -ENOENT, 0 },
		{ 0x3020, 0, 0x1111 },	{ 0x3030, -ENOENT, 0 },
		{ 0x3038, 0, 0x3333 },	{ 0x3001, -ENOENT, 0 },
	};
	struct module m = open_image();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		u64 target = 0;

		assert_int_equal(module_relative(&m, row[i].vaddr, &target),
				 row[i].err);
		assert_int_equal(target, row[i].target);
	}
	/* The file's own symbol is the target of 0x3010. */
	assert_int_equal(module_pointer(&m, 0x3000), 0x1810);
	assert_int_equal(module_pointer(&m, 0x3010), 0x3008 + 3);
	module_close(&m);
}

static void test_bad_relocs(void **state)
{
	struct seen seen = { .n = 0 };
	struct module m;

	(void)state;
	/* A symbol number far outside has no name. */
	put64(RELA + 2 * 24 + 8, ELF64_R_INFO(0xffffffffU, R_X86_64_64));
	m = open_image();
	assert_int_equal(module_each_reloc(&m, see, &seen), 0);
	assert_string_equal(seen.r[2].symbol, "");
	module_close(&m);
	((Elf64_Shdr *)(image + SECTIONS))[RELA_SECTION].sh_size = 24 * 1000;
	m = open_image();
	assert_int_equal(module_each_reloc(&m, see, &seen), -EBADMSG);
	module_close(&m);
}

static void check_functions(void)
{
	static const struct {
		u64 vaddr, start;
	} row[] = {
		{ 0x180f, 0 },	    { 0x1810, 0x1810 }, { 0x181f, 0x1810 },
		{ 0x1820, 0x1820 }, { 0x184f, 0x1820 }, { 0x1850, 0 },
		{ 0, 0 },	    { ~0ULL, 0 },
	};
	const struct module_function *fn;
	struct module m = open_image();
	size_t n, i;

	assert_int_equal(module_functions(&m, &fn, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(fn[0].start, 0x1810);
	assert_int_equal(fn[0].end, 0x1820);
	assert_int_equal(fn[1].start, 0x1820);
	assert_int_equal(fn[1].end, 0x1850);
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct module_function f = { 0 };

		assert_int_equal(module_function_at(&m, row[i].vaddr, &f),
				 row[i].start ? 0 : -ENOENT);
		assert_int_equal(f.start, row[i].start);
	}
	module_close(&m);
}

static void test_functions(void **state)
{
	(void)state;
	check_functions();
	/* The table without section headers. */
	ehdr()->e_shnum = ehdr()->e_shstrndx = 0;
	ehdr()->e_shoff = 0;
	check_functions();
	/* The section without a header, or with one of an odd shape. */
	build_image(NULL);
	phdr(3)->p_type = PT_NULL;
	check_functions();
	build_image(NULL);
	image[EH_HDR + 3] = 0xff;
	check_functions();
	build_image(NULL);
	put32(EH_HDR + 8, 0xffffffff);
	check_functions();
}

/* None rather than some of them. */
static void test_too_many_functions(void **state)
{
	const struct module_function *fn;
	struct module m;
	size_t n;

	(void)state;
	put64(SECTIONS + 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size),
	      65 << 20);
	assert_int_equal(module_open_image(&m, image, SIZE, "image"), 0);
	assert_int_equal(module_functions(&m, &fn, &n), -E2BIG);
	assert_int_equal(n, 0);
	assert_null(module_frames(&m));
	module_close(&m);
}

static void test_no_functions(void **state)
{
	const struct module_function *fn;
	struct module m;
	size_t n;

	(void)state;
	phdr(3)->p_type = PT_NULL;
	ehdr()->e_shnum = ehdr()->e_shstrndx = 0;
	ehdr()->e_shoff = 0;
	m = open_image();
	assert_int_equal(module_functions(&m, &fn, &n), -ENOENT);
	assert_int_equal(n, 0);
	module_close(&m);
}

/* Use everything; what comes out is not looked at. */
static void use_all(const void *bytes, size_t len)
{
	const struct module_function *fn;
	struct module_function one;
	struct seen seen = { .stop_at = 16 };
	struct module m;
	u64 vaddr, size;
	char text[32];
	size_t n;

	if (module_open_image(&m, bytes, len, "x"))
		return;
	module_offset_to_vaddr(&m, 0x1000, &vaddr);
	module_read_text(&m, DYNSTR, text, sizeof(text));
	module_section(&m, ".data", &vaddr, &size);
	module_dynsym(&m, "alpha", &vaddr, &size);
	module_each_reloc(&m, see, &seen);
	module_relative(&m, 0x3000, &vaddr);
	module_functions(&m, &fn, &n);
	module_function_at(&m, 0x1810, &one);
	module_close(&m);
}

/* Every byte that means something, made wrong in a few ways. */
static void test_damaged(void **state)
{
	static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t at, i;

	(void)state;
	for (at = 0; at < SIZE; at++) {
		u8 old = image[at];

		if (at == 0x700)
			at = DATA_OFFSET;
		for (i = 0; i < sizeof(values); i++) {
			image[at] = values[i];
			use_all(image, SIZE);
		}
		image[at] = old;
		use_all(image, at);
	}
}

#define TEST(f) cmocka_unit_test_setup(f, build_image)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_dynsym),	 TEST(test_relocs),
		TEST(test_relative),	 TEST(test_bad_relocs),
		TEST(test_functions),	 TEST(test_too_many_functions),
		TEST(test_no_functions), TEST(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
