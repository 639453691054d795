/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Time in nanoseconds. */
#ifndef JPBPF_USER_LIB_CLOCK_H
#define JPBPF_USER_LIB_CLOCK_H

#include <time.h>

#include <jpbpf/types.h>

/* The clock's time; 0 if this kernel does not have the clock. */
u64 clock_ns(clockid_t clock);
/* CLOCK_MONOTONIC, which the kernel side uses too. */
u64 now_ns(void);

#endif
