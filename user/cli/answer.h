/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Ends an answer, help or facts, on standard output. */
#ifndef JPBPF_USER_CLI_ANSWER_H
#define JPBPF_USER_CLI_ANSWER_H

/* Checks that all output was written. STATUS_DONE, or STATUS_FAILED after
 * log_err(). */
int answer_end(void);

#endif
