/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The soft RLIMIT_DATA, which since Linux 4.7 covers all private writable
 * memory.  Where /proc does not say how much that is now, there is no quota.
 */
#include "user/unwind/quota.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "user/lib/guard.h"

/* Bytes of private memory, stacks included; 0 when not known. */
static rlim_t private_bytes(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages;

	if (!f || fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
		return 0;
	return (rlim_t)pages * sysconf(_SC_PAGESIZE);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rlimit before; /* as it was when the first user came */
static size_t users;

void quota_begin(size_t bytes)
{
	struct rlimit now;
	rlim_t used;

	pthread_mutex_lock(&lock);
	used = private_bytes();
	if (users++ == 0 && getrlimit(RLIMIT_DATA, &before))
		used = 0;
	now = before;
	if (used && now.rlim_cur > used + bytes) {
		now.rlim_cur = used + bytes;
		setrlimit(RLIMIT_DATA, &now);
	}
	pthread_mutex_unlock(&lock);
}

void quota_end(void)
{
	pthread_mutex_lock(&lock);
	if (--users == 0)
		setrlimit(RLIMIT_DATA, &before);
	pthread_mutex_unlock(&lock);
}
