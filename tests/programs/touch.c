/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* touch PAGES [IN_KERNEL]: so many page faults, and how many the kernel says. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "touch.h"

/* In a system call. */
static TOUCH_NOIPA long touch_kernel(long pages)
{
	char *at = touch_map(pages);
	int zero = open("/dev/zero", O_RDONLY);
	long before = touch_count();
	ssize_t n;

	before = touch_count();
	n = read(zero, at, pages * TOUCH_PAGE);
	before = touch_count() - before;
	close(zero);
	munmap(at, pages * TOUCH_PAGE);
	return n == pages * TOUCH_PAGE ? before : -1;
}

int main(int argc, char **argv)
{
	/* Until it is known. */
	usleep(300000);
	printf("touch_pages %ld\n", touch_pages(argc > 1 ? atol(argv[1]) : 1));
	if (argc > 2)
		printf("touch_kernel %ld\n", touch_kernel(atol(argv[2])));
	return 0;
}
