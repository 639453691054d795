/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The capabilities that profiling needs. */
#ifndef JPBPF_USER_CLI_CAPABILITY_H
#define JPBPF_USER_CLI_CAPABILITY_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;

/* The effective set from the text of /proc/PID/status; 0 when it is not there. */
u64 capability_effective(const char *status);
/* Append the names of those that are missing from the set: without which nothing
 * can be profiled, or (optional) without which something will be missing. */
void capability_missing(u64 effective, bool optional, struct buf *out);
/* Append the names of those that are kept once sampling has begun. */
void capability_running(struct buf *out);

#endif
