/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* memory.c, on this process: two pages, with nothing mapped behind them. */
#include "user/target/memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PAGE 4096

static char *area; /* three pages; the last one is not accessible */

static u64 at(size_t offset)
{
	return (unsigned long)area + offset;
}

static int map_area(void **state)
{
	(void)state;
	area = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		return -1;
	memset(area, 'a', 2 * PAGE);
	return munmap(area + 2 * PAGE, PAGE);
}

static int unmap_area(void **state)
{
	(void)state;
	return munmap(area, 2 * PAGE);
}

static void test_read(void **state)
{
	char out[2 * PAGE + 1];
	u64 eight = 0;
	u32 four = 0;

	(void)state;
	assert_int_equal(memory_read(getpid(), at(0), out, 2 * PAGE), 0);
	assert_memory_equal(out, area, 2 * PAGE);
	assert_int_equal(memory_read(getpid(), at(0), out, 0), 0);
	assert_int_equal(memory_read_u64(getpid(), at(3), &eight), 0);
	assert_true(eight == 0x6161616161616161);
	assert_int_equal(memory_read_u32(getpid(), at(2 * PAGE - 4), &four), 0);
	assert_int_equal(four, 0x61616161);
}

static void test_unmapped(void **state)
{
	char out[2 * PAGE + 1];
	u64 value;

	(void)state;
	assert_int_equal(memory_read(getpid(), at(0), out, 2 * PAGE + 1),
			 -EFAULT);
	assert_int_equal(memory_read(getpid(), at(2 * PAGE), out, 1), -EFAULT);
	assert_int_equal(memory_read_u64(getpid(), at(2 * PAGE - 7), &value),
			 -EFAULT);
	assert_int_equal(memory_read_u64(getpid(), 0, &value), -EFAULT);
	assert_int_equal(memory_read_u64(getpid(), ~0ULL - 3, &value), -EFAULT);
	assert_int_equal(memory_read_u64(getpid(), 1ULL << 63, &value),
			 -EFAULT);
}

static void test_gone(void **state)
{
	pid_t pid = fork();
	u64 value;

	(void)state;
	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(memory_read_u64(pid, at(0), &value), -ESRCH);
}

static void test_text(void **state)
{
	char out[2 * PAGE + 16];

	(void)state;
	/* The end is the last byte before the hole. */
	area[2 * PAGE - 1] = '\0';
	assert_int_equal(
		memory_read_text(getpid(), at(2 * PAGE - 4), out, sizeof(out)),
		3);
	assert_string_equal(out, "aaa");
	/* Across a page. */
	assert_int_equal(
		memory_read_text(getpid(), at(PAGE - 5), out, sizeof(out)),
		PAGE + 4);
	/* Cut. */
	assert_int_equal(memory_read_text(getpid(), at(0), out, 6), 5);
	assert_string_equal(out, "aaaaa");
	assert_int_equal(memory_read_text(getpid(), at(2 * PAGE - 4), out, 4),
			 3);
	assert_string_equal(out, "aaa");
	assert_int_equal(memory_read_text(getpid(), at(0), out, 1), 0);
	assert_string_equal(out, "");
	assert_int_equal(memory_read_text(getpid(), at(0), out, 0), -EINVAL);
	/* No end before the hole. */
	area[2 * PAGE - 1] = 'a';
	assert_int_equal(memory_read_text(getpid(), at(PAGE), out, sizeof(out)),
			 -EFAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_unmapped),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, map_area, unmap_area);
}
