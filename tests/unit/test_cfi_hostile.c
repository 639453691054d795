/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Files that say their tables are large: refused before anything of that size is read or
 * made. */
#include "user/unwind/cfi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "tests/unit/fixture.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

#define MIB (1ull << 20)

/* A fixture in memory, with room behind it. */
static u8 bytes[256 << 10];
static size_t size;

static void read_fixture(const char *name)
{
	int fd = fixture_open(name);
	ssize_t n = read(fd, bytes, sizeof(bytes) / 2);

	assert_true(n > 0 && n < (ssize_t)sizeof(bytes) / 2);
	size = n;
	close(fd);
}

/* length: what the file has with a hole behind the bytes. */
static void open_bytes(struct module *m, u64 length)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(ftruncate(fd, length > size ? length : size), 0);
	assert_int_equal(module_open(m, fd, "file"), 0);
}

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

static long resident_kib(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_maxrss;
}

static int build(u64 length, size_t *rows)
{
	struct cfi_table t;
	struct module m;
	int err;

	open_bytes(&m, length);
	err = cfi_build(&t, &m, NULL, 0);
	*rows = err ? 0 : t.rows;
	if (!err)
		cfi_release(&t);
	module_close(&m);
	return err;
}

/* The table is none the worse for it. */
static void test_names(void **state)
{
	long before;
	size_t want, rows;

	(void)state;
	read_fixture("cfi_debug.so");
	assert_int_equal(build(0, &want), 0);
	section(".shstrtab")->sh_size = 4096 * MIB;
	before = resident_kib();
	assert_int_equal(build(5000 * MIB, &rows), 0);
	assert_int_equal(rows, want);
	assert_true(resident_kib() - before < 64 << 10);
}

static void test_large(void **state)
{
	long before = resident_kib();
	size_t rows;

	(void)state;
	read_fixture("cfi_cases.so");
	section(".eh_frame")->sh_size = 65 * MIB;
	assert_int_equal(build(5000 * MIB, &rows), -E2BIG);
	read_fixture("cfi_debug.so");
	section(".debug_frame")->sh_size = 4096 * MIB;
	assert_int_equal(build(5000 * MIB, &rows), -E2BIG);
	assert_true(resident_kib() - before < 64 << 10);
}

/* .debug_frame is packed behind the file, and says that it is of a size. */
static void pack(u64 claimed)
{
	Elf64_Shdr *s = section(".debug_frame");
	Elf64_Chdr *c = (Elf64_Chdr *)(bytes + sizeof(bytes) / 2);
	uLongf len = 4096;

	*c = (Elf64_Chdr){ ELFCOMPRESS_ZLIB, 0, claimed ? claimed : s->sh_size,
			   8 };
	assert_int_equal(compress((Bytef *)(c + 1), &len, bytes + s->sh_offset,
				  s->sh_size),
			 Z_OK);
	s->sh_flags |= SHF_COMPRESSED;
	s->sh_offset = sizeof(bytes) / 2;
	s->sh_size = sizeof(*c) + len;
	size = s->sh_offset + s->sh_size;
}

static void test_packed(void **state)
{
	long before = resident_kib();
	size_t want, rows;

	(void)state;
	read_fixture("cfi_debug.so");
	assert_int_equal(build(0, &want), 0);
	pack(0);
	assert_int_equal(build(0, &rows), 0);
	assert_int_equal(rows, want);
	read_fixture("cfi_debug.so");
	pack(1024 * MIB);
	assert_int_equal(build(0, &rows), -E2BIG);
	assert_true(resident_kib() - before < 64 << 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
