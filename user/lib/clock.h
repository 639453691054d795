/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Time in nanoseconds. */
#ifndef JPBPF_USER_LIB_CLOCK_H
#define JPBPF_USER_LIB_CLOCK_H

#include <time.h>

#include <jpbpf/types.h>

/* The clock's time; 0 if this kernel does not have the clock. */
static inline u64 clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* CLOCK_MONOTONIC, which the kernel side uses too. */
static inline u64 now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
