/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where Go's code begins, in a file whose table does not tell (golang_newest.S): with
 * relocations, with none, and with every word that is looked at wrong in turn.
 */
#include "user/elf/golang.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/fixture.h"
#include "user/elf/module.h"

#define LEAD 16 /* bytes before the runtime's own description */

static u8 bytes[64 << 10];
static size_t size;

static Elf64_Shdr *section(const char *name)
{
	Elf64_Ehdr *h = (Elf64_Ehdr *)bytes;
	Elf64_Shdr *s = (Elf64_Shdr *)(bytes + h->e_shoff);
	const char *names = (char *)bytes + s[h->e_shstrndx].sh_offset;

	for (int i = 0; i < h->e_shnum; i++)
		if (!strcmp(names + s[i].sh_name, name))
			return &s[i];
	fail_msg("no section %s", name);
	return NULL;
}

static int read_fixture(void **state)
{
	int fd = fixture_open("golang_newest.so");
	ssize_t n = read(fd, bytes, sizeof(bytes));

	(void)state;
	assert_true(n > 0 && n < (ssize_t)sizeof(bytes));
	size = n;
	close(fd);
	return 0;
}

/* As in a program that is always at one place. */
static int resolve(void **state)
{
	Elf64_Shdr *rela, *data;
	Elf64_Rela *r;

	read_fixture(state);
	rela = section(".rela.dyn");
	data = section(".noptrdata");
	r = (Elf64_Rela *)(bytes + rela->sh_offset);
	for (size_t i = 0; i < rela->sh_size / sizeof(*r); i++) {
		u64 at = r[i].r_offset - data->sh_addr;

		if (at < data->sh_size)
			memcpy(bytes + data->sh_offset + at, &r[i].r_addend,
			       sizeof(u64));
		r[i].r_info = R_X86_64_NONE;
	}
	return 0;
}

static int open_go(struct module *m, struct golang *g)
{
	assert_int_equal(module_open_image(m, bytes, size, "go"), 0);
	return golang_open(g, m);
}

static void found(void **state)
{
	static const char *const names[] = { "one", "two" };
	struct golang_function f;
	struct golang g;
	struct module m;
	char want[32];
	u64 vaddr;

	(void)state;
	assert_int_equal(open_go(&m, &g), 0);
	assert_int_equal(g.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(module_dynsym(&m, names[i], &vaddr, NULL), 0);
		assert_int_equal(golang_function(&g, i, &f), 0);
		assert_int_equal(f.start, vaddr);
		assert_int_equal(f.end, vaddr + 16);
		snprintf(want, sizeof(want), "main.%s", names[i]);
		assert_string_equal(f.name, want);
	}
	golang_close(&g);
	module_close(&m);
}

/* No table rather than a wrong one. */
static void refused(void **state)
{
	static const u8 looked_at[] = { 0, 1, 10, 16, 17, 20, 21, 22 };
	u8 *words = bytes + section(".noptrdata")->sh_offset + LEAD;
	struct golang g;
	struct module m;

	(void)state;
	for (size_t i = 0; i < sizeof(looked_at); i++) {
		words[looked_at[i] * 8]++;
		print_message("# word %u\n", looked_at[i]);
		assert_int_equal(open_go(&m, &g), -ENOENT);
		module_close(&m);
		words[looked_at[i] * 8]--;
	}
	assert_int_equal(open_go(&m, &g), 0);
	golang_close(&g);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(found, read_fixture),
		cmocka_unit_test_setup(found, resolve),
		cmocka_unit_test_setup(refused, resolve),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
