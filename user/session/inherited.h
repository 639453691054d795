/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a process inherits and this one changes for itself: signals, and the limit of files
 * that it can have open. */
#ifndef JPBPF_USER_SESSION_INHERITED_H
#define JPBPF_USER_SESSION_INHERITED_H

#include <stdbool.h>

#include <jpbpf/types.h>

/* Catch SIGINT, SIGTERM and SIGHUP: they are only noted.  Ignore SIGPIPE and SIGXFSZ: a
 * reader that goes away and a file-size limit become errors of writing.  A SIGHUP that
 * was ignored stays ignored.  0 or -errno. */
int signals_catch(void);
/* Whether one of the caught signals has come. */
bool signals_stopped(void);
/* A descriptor that is readable once such a signal has come. */
int signals_fd(void);

/* The limit (RLIMIT_NOFILE) at which so many files of profiled processes can be
 * open. */
u32 descriptors_wanted(u32 files);
/* Raise the limit as far as needed and permitted, because files of profiled processes
 * are kept open.  Returns how many such files can be open, at most files. */
u32 descriptors_raise(u32 files);

/* Restore handlers and limit; also for a child before it runs a program. */
void inherited_restore(void);

#endif
