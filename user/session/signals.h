/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The signals that ask the program to stop, and those that must not end it. */
#ifndef JPBPF_USER_SESSION_SIGNALS_H
#define JPBPF_USER_SESSION_SIGNALS_H

#include <stdbool.h>

/* Catch SIGINT, SIGTERM and SIGHUP: they are only noted.  Ignore SIGPIPE and SIGXFSZ: a
 * reader that goes away and a file-size limit become errors of writing.  A SIGHUP that
 * was ignored stays ignored.  0 or -errno. */
int signals_catch(void);
/* Restore the earlier handlers; also for a child before it runs a program. */
void signals_restore(void);
/* Whether one of the caught signals has come. */
bool signals_stopped(void);
/* A descriptor that is readable once such a signal has come. */
int signals_fd(void);

#endif
