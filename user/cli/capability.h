/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The capabilities that profiling needs. */
#ifndef JPBPF_USER_CLI_CAPABILITY_H
#define JPBPF_USER_CLI_CAPABILITY_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;

/* The effective set from the text of /proc/PID/status; 0 if it has none. */
u64 capability_effective(const char *status);
/* Appends the names of the capabilities that the set lacks: those without which
 * nothing can be profiled, or (optional) those without which something will be
 * missing. */
void capability_missing(u64 effective, bool optional, struct buf *out);
/* Appends the names of the capabilities that are kept once sampling has begun. */
void capability_running(struct buf *out);

#endif
