/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where stacks made by makecontext() end: the fixture, with its code changed. */
#include "arch/cfi.h"

#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/cfi_find.h"
#include "tests/unit/fixture.h"
#include "user/elf/module.h"
#include "user/unwind/cfi.h"

#define LEA_BYTES 7

static u8 original[65536], bytes[sizeof(original)];
static size_t size;

static int read_fixture(void **state)
{
	int fd = fixture_open("cfi_context.so");
	ssize_t n = read(fd, original, sizeof(original));

	(void)state;
	close(fd);
	assert_true(n > 0 && (size_t)n < sizeof(original));
	size = n;
	return 0;
}

static struct module open_bytes(const u8 *from)
{
	struct module m;

	assert_int_equal(module_open_image(&m, from, size, "libc.so"), 0);
	return m;
}

static u64 symbol(const char *name)
{
	struct module m = open_bytes(original);
	u64 vaddr = 0;

	if (name && module_dynsym(&m, name, &vaddr, NULL))
		fail_msg("no symbol %s", name);
	module_close(&m);
	return vaddr;
}

/* Code has the same place in the file and in memory. */
static void point(const char *lea, const char *to)
{
	s32 offset = (s32)(symbol(to) - symbol(lea) - LEA_BYTES);

	memcpy(bytes + symbol(lea) + LEA_BYTES - 4, &offset, sizeof(offset));
}

/* The symbol's entry in .dynsym, by its value. */
static Elf64_Sym *entry(const char *name)
{
	u64 vaddr = symbol(name);

	for (size_t at = 0; at + sizeof(Elf64_Sym) <= size; at += 8) {
		Elf64_Sym *s = (Elf64_Sym *)(bytes + at);

		if (s->st_value == vaddr && s->st_shndx &&
		    s->st_info == ELF64_ST_INFO(STB_GLOBAL, STT_FUNC))
			return s;
	}
	fail_msg("no entry of %s", name);
	return NULL;
}

static void ends(void **state)
{
	static const struct {
		const char *what, *first, *second, *end;
	} cases[] = {
		{ "as glibc has it", "other", "start_context",
		  "start_context" },
		{ "the first that is one", "with_endbr", "start_context",
		  "with_endbr" },
		{ "an address in a function", "inside", "other", NULL },
		{ "an address in none", "no_function", "other", NULL },
		{ "itself", "makecontext", "other", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct module m;

		print_message("# %s\n", cases[i].what);
		memcpy(bytes, original, size);
		point("first_lea", cases[i].first);
		point("second_lea", cases[i].second);
		m = open_bytes(bytes);
		assert_int_equal(cfi_context_end(&m), symbol(cases[i].end));
		module_close(&m);
	}
}

static void odd_symbols(void **state)
{
	static const struct {
		const char *what;
		u64 size;
		u16 section;
		bool found;
	} cases[] = {
		{ "up to the last byte of the lea", 19, 1, true },
		{ "one byte less", 18, 1, false },
		{ "nothing", 0, 1, false },
		{ "too much", 1025, 1, false },
		{ "of another file", 19, SHN_UNDEF, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct module m;
		Elf64_Sym *s;

		print_message("# %s\n", cases[i].what);
		memcpy(bytes, original, size);
		s = entry("makecontext");
		s->st_size = cases[i].size;
		if (!cases[i].section)
			s->st_shndx = SHN_UNDEF;
		m = open_bytes(bytes);
		assert_int_equal(cfi_context_end(&m) != 0, cases[i].found);
		module_close(&m);
	}
}

/* What it is for: the byte before that address is a root's. */
static void rule(void **state)
{
	struct module m = open_bytes(original);
	u64 end = symbol("start_context");
	struct cfi_table t;

	(void)state;
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	assert_int_equal(cfi_find(&t, end - 1)->kind, UNWIND_ROOT);
	assert_int_equal(cfi_find(&t, end - 2)->kind, UNWIND_NONE);
	cfi_release(&t);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(odd_symbols),
		cmocka_unit_test(rule),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, read_fixture, NULL);
}
