/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The threads of a process, by id. proc is the root of the proc file system. */
#ifndef JPBPF_USER_TARGET_THREAD_H
#define JPBPF_USER_TARGET_THREAD_H

#include <sys/types.h>

#include <jpbpf/types.h>

/* The pid of a thread's process; -ESRCH if there is no such thread. */
pid_t thread_process(const char *proc, pid_t tid);
/* Sets *tids to all threads of a process, sorted; the caller frees them. Number or
 * -errno. */
ssize_t thread_list(const char *proc, pid_t pid, pid_t **tids);
/* The id through which /proc shows the process's memory and files, and its memory can be
 * read: that of a living thread, where the first thread has exited before others; else
 * pid itself.  What is told of the process as a whole (stat, status, comm, cgroup, task)
 * stays under pid. */
pid_t thread_living(const char *proc, pid_t pid);
/* The id of a thread in its own, innermost pid namespace, or -errno. */
pid_t thread_inner_id(const char *proc, pid_t tid);
/* The id of the thread whose pthread_self() is pthread, read from glibc's struct
 * pthread; -ESRCH if no thread of the process matches. */
pid_t thread_by_pthread(const char *proc, pid_t pid, u64 pthread);

#endif
