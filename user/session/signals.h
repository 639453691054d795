/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The signals that ask the program to stop, and those that must not end it. */
#ifndef JPBPF_USER_SESSION_SIGNALS_H
#define JPBPF_USER_SESSION_SIGNALS_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP are only noted, and a reader that goes
 * away, or a file that may not grow, is an error of writing.  A SIGHUP that was
 * ignored stays so.  0 or -errno. */
int signals_catch(void);
/* As they were before: also for a child, before it runs a program. */
void signals_restore(void);
/* Such a signal has come. */
bool signals_stopped(void);
/* Readable from then on. */
int signals_fd(void);

#endif
