/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of calls, for people and as JSON. */
#ifndef JPBPF_USER_REPORT_COUNTS_H
#define JPBPF_USER_REPORT_COUNTS_H

#include <stddef.h>
#include <stdio.h>

#include "user/profile/profile.h"

struct buf;

void counts_put(const struct call_counts *c, size_t n, FILE *out);
void counts_add_json(const struct call_counts *c, struct buf *out);
/* " 12.3 us": three digits and a unit. */
void counts_add_time(u64 ns, struct buf *out);
/* "return", "error" ... */
const char *counts_left(u32 left);

#endif
