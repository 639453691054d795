/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What was asked for, help or facts, has been written to standard output. */
#ifndef JPBPF_USER_CLI_ANSWER_H
#define JPBPF_USER_CLI_ANSWER_H

/* Has all of it got there? STATUS_DONE, or STATUS_FAILED after log_err(). */
int answer_end(void);

#endif
