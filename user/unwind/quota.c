/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The soft RLIMIT_DATA, which since Linux 4.7 covers all private writable
 * memory.  Where /proc does not say how much that is now, there is no quota.
 */
#include "user/unwind/quota.h"

#include <stdio.h>
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

void quota_begin(struct quota *q, size_t bytes)
{
	rlim_t used = private_bytes();
	struct rlimit now;

	q->active = false;
	if (!used || getrlimit(RLIMIT_DATA, &q->old))
		return;
	now = q->old;
	if (now.rlim_cur <= used + bytes)
		return;
	now.rlim_cur = used + bytes;
	q->active = !setrlimit(RLIMIT_DATA, &now);
}

void quota_end(struct quota *q)
{
	if (q->active)
		setrlimit(RLIMIT_DATA, &q->old);
	q->active = false;
}
