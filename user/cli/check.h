/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * jpbpf check: what this host lacks for profiling, and how to mend each.
 *
 * The same tests run silently before recording; the first that fails then is
 * the error that the user sees.
 */
#ifndef JPBPF_USER_CLI_CHECK_H
#define JPBPF_USER_CLI_CHECK_H

#include <stdbool.h>

/* Print every test with its result and remedy to standard output.
 * force: what is unsafe is only a note.  An exit status of the program. */
int check_report(bool force);
/* STATUS_DONE, or STATUS_REFUSED after one log_err() with the remedy. */
int check_quietly(bool force);

#endif
