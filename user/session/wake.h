/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What ends a wait at once: signals that ask us to stop, the command's end.
 *
 * A session waits without a time limit when nothing is due, so that an idle host
 * is not woken; what must not wait goes through the epoll descriptor.
 */
#ifndef JPBPF_USER_SESSION_WAKE_H
#define JPBPF_USER_SESSION_WAKE_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/types.h>

/* From now on SIGINT, SIGTERM and SIGHUP are only noted, and a reader that goes
 * away, or a file that may not grow, is an error of writing.  A SIGHUP that was
 * ignored stays so.  0 or -errno. */
int wake_on_signals(void);
/* What they did before that: for a child, before it runs a program. */
void wake_restore_signals(void);
/* Such a signal has come. */
bool wake_stopped(void);
/* Wake those who wait on this descriptor.  0 or -errno. */
int wake_watch(int epoll_fd);
/* Also when this child ends. */
int wake_watch_child(int epoll_fd, pid_t pid);
/* The earlier of a wait (ms; -1: nothing is due) and a time (ns), as such a wait. */
int wake_until(int ms, u64 now, u64 time);
void wake_release(void);

#endif
