/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What memory.c makes of presence, on this process: pages that are not
 * there, and that only a userfaultfd that nobody answers could provide. */

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/target/maps.h"
#include "user/target/memory.h"

#define PAGE  4096
#define PAGES 8

#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13)
#endif

static char *map_pages(int flags, int fd)
{
	char *p =
		mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);

	assert_true(p != MAP_FAILED);
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	memory_forget();
	return p;
}

static u64 address(const void *p)
{
	return (unsigned long)p;
}

static int read_all(const char *p, char *out)
{
	memset(out, '?', PAGES * PAGE);
	return memory_read(getpid(), address(p), out, PAGES * PAGE);
}

static void test_untouched(void **state)
{
	char *p = map_pages(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	char out[PAGES * PAGE], want[PAGES * PAGE] = { 0 };
	unsigned char there[PAGES];

	(void)state;
	p[3 * PAGE + 5] = want[3 * PAGE + 5] = 'x';
	assert_int_equal(read_all(p, out), 0);
	assert_memory_equal(out, want, sizeof(out));
	/* And it still is. */
	assert_int_equal(mincore(p, PAGES * PAGE, there), 0);
	for (int i = 0; i < PAGES; i++)
		assert_int_equal(there[i] & 1, i == 3);
	/* Nothing is known of what is not readable, nor behind the end. */
	assert_int_equal(mprotect(p + PAGE, PAGE, PROT_NONE), 0);
	assert_int_equal(munmap(p + 7 * PAGE, PAGE), 0);
	memory_forget();
	assert_int_equal(memory_read(getpid(), address(p), out, PAGE), 0);
	assert_int_equal(memory_read(getpid(), address(p), out, PAGE + 1),
			 -EFAULT);
	assert_int_equal(
		memory_read(getpid(), address(p) + 7 * PAGE - 1, out, 2),
		-EFAULT);
	munmap(p, 7 * PAGE);
}

static void read_file_pages(int fd, int flags)
{
	char bytes[PAGES * PAGE], out[PAGES * PAGE], *p;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7 + i / PAGE);
	assert_int_equal(pwrite(fd, bytes, sizeof(bytes), 0), sizeof(bytes));
	p = map_pages(flags, fd);
	assert_int_equal(read_all(p, out), 0);
	assert_memory_equal(out, bytes, sizeof(out));
	munmap(p, PAGES * PAGE);
	close(fd);
}

/* None of its pages is in this process' tables. */
static void test_file(void **state)
{
	char path[] = "/tmp/test_presence.XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	unlink(path);
	read_file_pages(fd, MAP_PRIVATE);
	read_file_pages(memfd_create("m", MFD_CLOEXEC), MAP_SHARED);
}

/* Have faults in p wait for ever; false: that is not allowed here. */
static bool guard(char *p, u64 features, u64 mode, int *fd)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	struct uffdio_register area = {
		.range = { address(p), PAGES * PAGE },
		.mode = mode,
	};

	*fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	return *fd >= 0 && !ioctl(*fd, UFFDIO_API, &api) &&
	       !ioctl(*fd, UFFDIO_REGISTER, &area);
}

static void expect_no_wait(int flags, bool protect, int expected)
{
	struct uffdio_writeprotect wp = { .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	char *p = map_pages(flags | MAP_ANONYMOUS, -1), out[PAGES * PAGE];
	u64 mode = UFFDIO_REGISTER_MODE_MISSING;
	int fd;

	if (protect)
		mode |= UFFDIO_REGISTER_MODE_WP;
	if (guard(p, protect ? UFFD_FEATURE_WP_UNPOPULATED : 0, mode, &fd)) {
		wp.range = (struct uffdio_range){ address(p), PAGES * PAGE };
		if (protect)
			assert_int_equal(ioctl(fd, UFFDIO_WRITEPROTECT, &wp),
					 0);
		/* Whoever waits is ended by the signal. */
		alarm(10);
		assert_int_equal(read_all(p, out), expected);
		alarm(0);
	} else {
		print_message("# no userfaultfd like that\n");
	}
	close(fd);
	munmap(p, PAGES * PAGE);
}

static void test_userfaultfd(void **state)
{
	(void)state;
	expect_no_wait(MAP_PRIVATE, false, 0);
	expect_no_wait(MAP_SHARED, false, -EFAULT);
	/* A mark in the place of each page, which looks like a swapped one. */
	expect_no_wait(MAP_PRIVATE, true, -EFAULT);
}

static void test_of(void **state)
{
	static const struct {
		const char *path;
		unsigned major, minor, ino;
		bool readable;
		int expected;
	} cases[] = {
		{ "", 0, 0, 0, true, PRESENCE_ZEROS },
		{ "[heap]", 0, 0, 0, true, PRESENCE_ZEROS },
		{ "[stack]", 0, 0, 0, true, PRESENCE_ZEROS },
		{ "[anon: arena]", 0, 0, 0, true, PRESENCE_ZEROS },
		{ "[anon:]", 0, 0, 0, false, -EFAULT },
		{ "[vdso]", 0, 0, 0, true, PRESENCE_THERE },
		{ "[vvar]", 0, 0, 0, true, PRESENCE_THERE },
		{ "/a", 8, 1, 7, true, PRESENCE_THERE },
		{ "/a", 8, 1, 7, false, -EFAULT },
		{ "/a", 0, 0xfffff, 7, true, -EFAULT },
		{ "[heap]", 0, 0xfffff, 7, true, -EFAULT },
		{ "[vdso]", 0, 0xfffff, 7, true, -EFAULT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct map map = {
			.end = PAGE,
			.dev = makedev(cases[i].major, cases[i].minor),
			.ino = cases[i].ino,
			.readable = cases[i].readable,
			.path = (char *)cases[i].path,
		};

		print_message("# %s of %u:%u\n", map.path, cases[i].major,
			      cases[i].minor);
		assert_int_equal(presence_of(getpid(), &map),
				 cases[i].expected);
	}
	assert_int_equal(presence_of(getpid(), NULL), -EFAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_untouched),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_userfaultfd),
		cmocka_unit_test(test_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
