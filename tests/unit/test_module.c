/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* module.c and module_read.c: what is opened, what is refused, what is read. */
#include "user/elf/module.h"
#include "user/lib/heap.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/elf_image.h"

/* The image as an unlinked file. */
static int image_file(size_t len)
{
	char path[] = "/tmp/jpbpf-module-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, image, len), len);
	return fd;
}

static void test_open(void **state)
{
	int fd = image_file(SIZE);
	struct module m;
	struct stat st;

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(module_open(&m, fd, "/a/b.so"), 0);
	assert_int_equal(m.fd, fd);
	assert_int_equal(m.key.ino, st.st_ino);
	assert_int_equal(m.key.dev, st.st_dev);
	assert_int_equal(m.key.size, SIZE);
	assert_true(m.key.mtime_ns ==
		    st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec);
	assert_string_equal(m.path, "/a/b.so");
	assert_string_equal(m.name, "b.so");
	assert_int_equal(m.build_id_len, 8);
	assert_memory_equal(m.build_id, "\1\2\3\4\5\6\7\10", 8);
	assert_false(m.is_exec);
	assert_non_null(module_handle(&m));
	/* It is opened anew when it is needed. */
	module_rest(&m);
	assert_non_null(module_handle(&m));
	module_close(&m);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

static void test_is_exec(void **state)
{
	struct module m;

	(void)state;
	/* What a static PIE looks like: no interpreter. */
	ehdr()->e_entry = CODE;
	m = open_image();
	assert_false(m.is_exec);
	module_close(&m);
	phdr(4)->p_type = PT_INTERP;
	m = open_image();
	assert_true(m.is_exec);
	assert_int_equal(m.build_id_len, 0);
	module_close(&m);
	phdr(4)->p_type = PT_NOTE;
	ehdr()->e_type = ET_EXEC;
	m = open_image();
	assert_true(m.is_exec);
	module_close(&m);
}

static void expect_refused(void)
{
	struct module m = { .fd = 77 };
	int fd = image_file(SIZE);

	assert_int_equal(module_open(&m, fd, "x"), -ENOEXEC);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(m.fd, 77);
	assert_int_equal(module_open_image(&m, image, SIZE, "x"), -ENOEXEC);
	build_image(NULL);
}

static void test_refused(void **state)
{
	struct module m;

	(void)state;
	ehdr()->e_ident[0] = 0;
	expect_refused();
	ehdr()->e_ident[EI_CLASS] = ELFCLASS32;
	expect_refused();
	ehdr()->e_ident[EI_DATA] = ELFDATA2MSB;
	expect_refused();
	ehdr()->e_machine = EM_AARCH64;
	expect_refused();
	ehdr()->e_machine = EM_386;
	expect_refused();
	ehdr()->e_type = ET_REL;
	expect_refused();
	ehdr()->e_phnum = 0;
	expect_refused();
	ehdr()->e_phnum = 0xffff;
	expect_refused();
	ehdr()->e_phentsize = 32;
	expect_refused();
	ehdr()->e_phoff = ~0ULL - 8;
	expect_refused();
	/* Extended numbering with more sections than bytes. */
	ehdr()->e_shnum = 0;
	((Elf64_Shdr *)(image + SECTIONS))->sh_size = 1ULL << 31;
	expect_refused();
	assert_int_equal(module_open_image(&m, image, 0, "x"), -ENOEXEC);
	assert_int_equal(module_open_image(&m, image, 63, "x"), -ENOEXEC);
	assert_int_equal(module_open(&m, open("/dev/null", O_RDONLY), "x"),
			 -ENOEXEC);
	assert_int_equal(module_open(&m, open("/", O_RDONLY), "x"), -ENOEXEC);
	assert_int_equal(module_open(&m, -1, "x"), -EBADF);
}

static void test_offsets(void **state)
{
	static const struct {
		u64 offset;
		int err;
		u64 vaddr;
	} row[] = {
		/* The page that read-only data and code share is code. */
		{ 0, 0, 0x1000 },	{ 0x810, 0, 0x1810 },
		{ 0x1000, 0, DATA },	{ 0x1fff, 0, DATA + 0xfff },
		{ 0x2000, -ENOENT, 0 }, { ~0ULL, -ENOENT, 0 },
	};
	struct module m = open_image();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		u64 vaddr = 0;

		assert_int_equal(
			module_offset_to_vaddr(&m, row[i].offset, &vaddr),
			row[i].err);
		assert_int_equal(vaddr, row[i].vaddr);
	}
	module_close(&m);
}

static void check_reads(const struct module *m)
{
	static const u8 zeros[0x100];
	u8 out[0x800];

	assert_int_equal(module_read(m, DYNSTR, out, sizeof(dynstr)), 0);
	assert_memory_equal(out, dynstr, sizeof(dynstr));
	assert_int_equal(module_read(m, 0, out, 0x800), 0);
	assert_memory_equal(out, image, 0x800);
	assert_int_equal(module_read(m, 1, out, 0x800), -EFAULT);
	assert_int_equal(module_read(m, 0x800, out, 1), -EFAULT);
	assert_int_equal(module_read(m, ~0ULL, out, 2), -EFAULT);
	assert_int_equal(module_read(m, 0, out, ~0UL), -EFAULT);
	/* Over the end of what the file holds into .bss, and to its end. */
	memset(out, 0xff, sizeof(out));
	assert_int_equal(module_read(m, DATA + 0x20, out, 0x3e0), 0);
	assert_memory_equal(out, image + DATA_OFFSET + 0x20, 0x1e0);
	assert_memory_equal(out + 0x1e0, zeros, 0x100);
	assert_memory_equal(out + 0x2e0, zeros, 0x100);
	assert_int_equal(module_read(m, DATA + 0x3f9, out, 8), -EFAULT);
}

static void test_read(void **state)
{
	struct module m = open_image();
	char text[8];

	(void)state;
	check_reads(&m);
	module_close(&m);
	assert_int_equal(module_open(&m, image_file(SIZE), "f"), 0);
	check_reads(&m);
	assert_int_equal(module_read_text(&m, DATA + 0x40, text, 8), 0);
	assert_string_equal(text, "text");
	assert_int_equal(module_read_text(&m, DATA + 0x40, text, 5), 0);
	assert_int_equal(module_read_text(&m, DATA + 0x40, text, 4),
			 -ENAMETOOLONG);
	assert_int_equal(module_read_text(&m, DATA + 0x40, text, 0),
			 -ENAMETOOLONG);
	assert_int_equal(module_read_text(&m, DATA + 0x3ff, text, 8), 0);
	assert_int_equal(module_read_text(&m, DATA + 0x400, text, 8), -EFAULT);
	module_close(&m);
}

/* A file cut under us gives errors, not a signal.  The code stands far enough
 * from the rest for no read-ahead to have seen both. */
static void test_truncated(void **state)
{
	const struct module_function *fn;
	struct module m;
	u8 out[8];
	u64 value;
	size_t n;
	int fd;

	(void)state;
	phdr(1)->p_offset = 0x10800;
	fd = image_file(SIZE);
	assert_int_equal(ftruncate(fd, 0x20000), 0);
	assert_int_equal(module_open(&m, fd, "f"), 0);
	assert_int_equal(module_read(&m, CODE, out, 8), 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(module_read(&m, DYNSTR, out, 8), -EFAULT);
	assert_int_equal(module_dynsym(&m, "alpha", &value, NULL), -ENOENT);
	assert_int_equal(module_relative(&m, 0x3000, &value), -ENOENT);
	assert_int_equal(module_functions(&m, &fn, &n), -ENOENT);
	module_close(&m);
}

static void test_section(void **state)
{
	struct module m = open_image();
	u64 vaddr, size;

	(void)state;
	assert_int_equal(module_section(&m, ".data", &vaddr, &size), 0);
	assert_int_equal(vaddr, DATA);
	assert_int_equal(size, 0x100);
	assert_int_equal(module_section(&m, ".dat", &vaddr, &size), -ENOENT);
	assert_int_equal(module_section(&m, ".bss", &vaddr, &size), -ENOENT);
	/* Not in memory. */
	assert_int_equal(module_section(&m, ".shstrtab", &vaddr, &size),
			 -ENOENT);
	module_close(&m);
}

#define TEST(f) cmocka_unit_test_setup(f, build_image)

/* Every file that a program on the host maps is open, and most are of no interest. */
static void rests_in_little_memory(void **state)
{
	enum { N = 200, BYTES = 1500 };
	struct module m[N];
	size_t before = mallinfo2().uordblks, each;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		assert_int_equal(module_open(&m[i],
					     open("/proc/self/exe", O_RDONLY),
					     "/bin/x"),
				 0);
		module_rest(&m[i]);
	}
	each = (mallinfo2().uordblks - before) / N;
	print_message("# %zu bytes a module\n", each);
	assert_true(each <= BYTES);
	for (size_t i = 0; i < N; i++)
		module_close(&m[i]);
}

/* A large file without room is read once, not again for each address in it. */
static void is_read_once(void **state)
{
	const struct module_function *fn;
	struct module m;
	size_t n;

	(void)state;
	assert_int_equal(
		module_open(&m, open("/proc/self/exe", O_RDONLY), "/bin/x"), 0);
	heap_limit(16);
	assert_int_equal(module_functions(&m, &fn, &n), -ENOMEM);
	heap_limit(0);
	assert_int_equal(module_functions(&m, &fn, &n), -ENOMEM);
	module_rest(&m);
	assert_int_equal(module_functions(&m, &fn, &n), 0);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rests_in_little_memory),
		cmocka_unit_test(is_read_once),
		TEST(test_open),
		TEST(test_is_exec),
		TEST(test_refused),
		TEST(test_offsets),
		TEST(test_read),
		TEST(test_truncated),
		TEST(test_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
