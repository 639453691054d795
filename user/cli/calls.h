/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The patterns of functions whose calls are followed.  Each takes one into a struct options:
 * 0, or -EINVAL after log_err(). */
#ifndef JPBPF_USER_CLI_CALLS_H
#define JPBPF_USER_CLI_CALLS_H

int calls_choose(void *options, const char *pattern);
int calls_leave_out(void *options, const char *pattern);
int calls_count_as(void *options, const char *pattern); /* ID=PATTERN */

struct options;
/* Whether patterns, outputs and --mode go together: 0, or -EINVAL after log_err(). */
int calls_check(const struct options *o);

#endif
