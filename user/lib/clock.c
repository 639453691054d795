/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/lib/clock.h"

u64 clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

u64 now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}
