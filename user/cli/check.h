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

/* Prints every test with its result and remedy to standard output. force: an unsafe
 * host is only a warning. Returns an exit status of the program. */
int check_report(bool force);
/* STATUS_DONE, or STATUS_REFUSED after one log_err() with the remedy. */
int check_quietly(bool force);

#endif
