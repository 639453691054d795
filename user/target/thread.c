/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds threads by /proc and by glibc's struct pthread.
 *
 * /proc/TID exists for every thread, though threads are not listed in /proc.  A thread that
 * has exited has no memory and no files: its /proc/TID/maps is empty, and the link exe
 * leads nowhere.  The first thread stays in /proc like that while others live.
 *
 * pthread_self() is the address of a struct pthread, which is also the thread's
 * TCB. Its words 0 and 2 (tcb, self) hold its own address, which proves it. The tid
 * follows 0x2c0 bytes of header and a list head (sysdeps/x86_64/nptl/tls.h and
 * nptl/descr.h, glibc 2.4 to 2.41).
 */
#include "user/target/thread.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/memory.h"
#include "user/target/proc.h"

#define PTHREAD_TID 0x2d0

/* The last number in the line of status that starts with label ("\nTgid:"); -ESRCH if there is
 * none. */
static pid_t status_number(const char *proc, pid_t tid, const char *label)
{
	_cleanup_free_ char *line = proc_line(proc, tid, "status", label);
	const char *last = line ? strrchr(line, '\t') : NULL;

	return last ? (pid_t)strtol(last, NULL, 10) : -ESRCH;
}

pid_t thread_process(const char *proc, pid_t tid)
{
	return status_number(proc, tid, "\nTgid:");
}

pid_t thread_inner_id(const char *proc, pid_t tid)
{
	return status_number(proc, tid, "\nNSpid:");
}

ssize_t thread_list(const char *proc, pid_t pid, pid_t **tids)
{
	_cleanup_free_ char *folder = xasprintf("%s/%d/task", proc, pid);

	return proc_list(folder, tids);
}

/* Whether the thread has given up its memory. */
static bool has_exited(const char *proc, pid_t tid)
{
	_cleanup_free_ char *link = xasprintf("%s/%d/exe", proc, tid);
	char target;

	return readlink(link, &target, sizeof(target)) < 0 && errno == ENOENT;
}

pid_t thread_living(const char *proc, pid_t pid)
{
	_cleanup_free_ pid_t *tid = NULL;
	ssize_t n;

	if (!has_exited(proc, pid))
		return pid;
	n = thread_list(proc, pid, &tid);
	for (ssize_t i = 0; i < n; i++)
		if (tid[i] != pid && !has_exited(proc, tid[i]))
			return tid[i];
	return pid;
}

pid_t thread_by_pthread(const char *proc, pid_t pid, u64 pthread)
{
	_cleanup_free_ pid_t *tid = NULL;
	u64 tcb, self;
	ssize_t n;
	u32 inner;

	if (!pthread || memory_read_u64(pid, pthread, &tcb) || tcb != pthread ||
	    memory_read_u64(pid, pthread + 16, &self) || self != pthread ||
	    memory_read_u32(pid, pthread + PTHREAD_TID, &inner) ||
	    (pid_t)inner <= 0)
		return -ESRCH;
	n = thread_list(proc, pid, &tid);
	for (ssize_t i = 0; i < n; i++)
		if (thread_inner_id(proc, tid[i]) == (pid_t)inner)
			return tid[i];
	return -ESRCH;
}
