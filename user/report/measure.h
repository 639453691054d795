/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is measured of an event: time, where a sample stands for an interval or its
 * value is in nanoseconds; bytes; else the number of samples. */
#ifndef JPBPF_USER_REPORT_MEASURE_H
#define JPBPF_USER_REPORT_MEASURE_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;
struct profile;
struct profile_sum;

struct measure {
	enum { MEASURE_SAMPLES, MEASURE_TIME, MEASURE_BYTES } unit;
	u64 interval; /* 0: the value is the number */
};

struct measure measure_of(const struct profile *p, u32 event, bool counts_only);
/* Nanoseconds, bytes or samples. */
u64 measure_number(const struct measure *m, const struct profile_sum *sum);
void measure_format(const struct measure *m, u64 number, struct buf *out);

#endif
