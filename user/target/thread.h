/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which process does a thread belong to? */
#ifndef JPBPF_USER_TARGET_THREAD_H
#define JPBPF_USER_TARGET_THREAD_H

#include <sys/types.h>

/* Pid of the process of a thread; -ESRCH when there is no such thread. proc is
 * the root of the proc file system. */
pid_t thread_process(const char *proc, pid_t tid);

#endif
