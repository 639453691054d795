/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A library that uses a CPU as soon as it is loaded: see first.c. */
#include <time.h>

/* The call stays a call, and its caller keeps its frame. */
#define EXPORT	     __attribute__((noipa, visibility("default")))
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

void late_leaf(long ms);
void late_outer(long ms);

static long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

EXPORT void late_leaf(long ms)
{
	long long end = cpu_ns() + ms * 1000000;

	while (cpu_ns() < end)
		for (volatile int i = 0; i < 100000; i++)
			;
}

EXPORT void late_outer(long ms)
{
	late_leaf(ms);
	KEEP_FRAME();
}
