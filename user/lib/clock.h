/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Time in nanoseconds. */
#ifndef JPBPF_USER_LIB_CLOCK_H
#define JPBPF_USER_LIB_CLOCK_H

#include <time.h>

#include <jpbpf/types.h>

/* What the clock says; 0 if this kernel does not have it. */
u64 clock_ns(clockid_t clock);
/* CLOCK_MONOTONIC, by which the kernel side tells the time, too. */
u64 now_ns(void);

#endif
