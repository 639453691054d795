// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Loaded before the C library (LD_PRELOAD): calls of malloc(), calloc() and realloc()
 * find no memory from number FAIL_AT on (from 1), FAIL_TIMES of them; 0: all.  When the
 * process ends it says how many calls there were, if FAIL_TOLD is a file's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static unsigned long at, times;
static atomic_ulong calls;
static pid_t self;

static __attribute__((constructor)) void begin(void)
{
	const char *from = getenv("FAIL_AT"), *n = getenv("FAIL_TIMES");

	at = from ? strtoul(from, NULL, 10) : 0;
	times = n ? strtoul(n, NULL, 10) : 1;
	self = getpid();
	atomic_store(&calls, 0);
}

static __attribute__((destructor)) void tell(void)
{
	const char *path = getenv("FAIL_TOLD");
	int fd = path && getpid() == self ? open(path, O_WRONLY | O_CREAT, 0666)
					  : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%lu\n", atomic_load(&calls));
	close(fd);
}

static int fails(void)
{
	unsigned long n = atomic_fetch_add(&calls, 1) + 1;

	if (!at || n < at || (times && n >= at + times))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails() ? NULL : __libc_realloc(p, size);
}
