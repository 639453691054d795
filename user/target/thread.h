/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The threads of a process, by id. */
#ifndef JPBPF_USER_TARGET_THREAD_H
#define JPBPF_USER_TARGET_THREAD_H

#include <sys/types.h>

#include <jpbpf/types.h>

/* Pid of the process of a thread; -ESRCH when there is no such thread. proc is
 * the root of the proc file system. */
pid_t thread_process(const char *proc, pid_t tid);
/* All threads of a process, sorted, in a malloc'ed array. Number or -errno. */
ssize_t thread_list(const char *proc, pid_t pid, pid_t **tids);
/* The id that a thread has in its own, innermost pid namespace. -errno. */
pid_t thread_inner_id(const char *proc, pid_t tid);
/* The id of the thread whose pthread_self() is that, by what glibc keeps there;
 * -ESRCH when no thread of the process is. */
pid_t thread_by_pthread(const char *proc, pid_t pid, u64 pthread);

#endif
