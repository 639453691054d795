/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Page faults that are known beforehand: touch_pages() returns how many the kernel has
 * counted meanwhile for this process; -1: something failed.
 */
#ifndef JPBPF_TESTS_TOUCH_H
#define JPBPF_TESTS_TOUCH_H

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define TOUCH_PAGE  4096L
#define TOUCH_NOIPA __attribute__((noipa))

static inline long touch_count(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_minflt;
}

static inline char *touch_map(long pages)
{
	char *at = mmap(NULL, pages * TOUCH_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at != MAP_FAILED)
		madvise(at, pages * TOUCH_PAGE, MADV_NOHUGEPAGE);
	return at;
}

static TOUCH_NOIPA void touch_each(volatile char *at, long pages)
{
	for (long i = 0; i < pages; i++)
		at[i * TOUCH_PAGE] = 1;
}

static TOUCH_NOIPA long touch_pages(long pages)
{
	long before = touch_count();
	char *at = touch_map(pages);

	if (at == MAP_FAILED)
		return -1;
	before = touch_count();
	touch_each(at, pages);
	before = touch_count() - before;
	munmap(at, pages * TOUCH_PAGE);
	return before;
}

#endif
