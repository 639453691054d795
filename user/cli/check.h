/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * jpbpf check: what this host lacks for profiling, with a remedy for each.
 *
 * The same tests run silently before profiling; the first failure is the error that
 * the user sees.
 */
#ifndef JPBPF_USER_CLI_CHECK_H
#define JPBPF_USER_CLI_CHECK_H

#include <stdbool.h>

#include <jpbpf/types.h>

/* Prints every test with its result and remedy to standard output. force: an unsafe
 * host is only a warning. Returns an exit status of the program. */
int check_report(bool force);
/* STATUS_DONE, or STATUS_REFUSED after one log_err() with the remedy. */
int check_quietly(bool force);

/* The upstream version of a kernel as KERNEL_VERSION() has it, from the most exact of
 * three texts; 0: not understood. release and version are as in uname(2). signature is
 * the text of /proc/version_signature (Ubuntu), or "". */
u32 check_release(const char *release, const char *version,
		  const char *signature);
/* Whether reading user memory from a perf event may freeze this kernel. */
bool check_may_freeze(u32 release);

#endif
