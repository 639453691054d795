/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Process ids as user space has them.
 *
 * The process table and every record have pids of the profiler's own namespace, as its
 * /proc shows them and its user types them.  On the host these are the kernel's own.  A
 * task in a container has one number for each namespace from the initial one down to
 * its own (struct upid).  Its pid here is the number at the profiler's depth.  A task
 * that has another namespace at that depth is not visible to the profiler.
 */
#ifndef JPBPF_PIDS_BPF_H
#define JPBPF_PIDS_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include <jpbpf/types.h>

/* Inode of the profiler's namespace; 0: the initial namespace. */
extern const volatile u32 pids_namespace;
/* Depth of the profiler's namespace, set by pids_find(). */
extern u32 pids_level;

#define PIDS_MAX_LEVEL 32 /* MAX_PID_NS_LEVEL, include/linux/pid_namespace.h */

/* pids.bpf.c: like bpf_get_current_pid_tgid(), with the pids of the profiler's
 * namespace; 0: the task is not in it. */
u64 pids_current(void);

/* The number of a struct pid in the profiler's namespace; 0: none. */
static __always_inline u32 pids_number(struct pid *pid)
{
	u64 at = (u64)&pid->numbers[0];
	struct pid_namespace *ns;
	struct upid upid = { 0 };
	u32 inode = 0;

	at += (pids_level & (PIDS_MAX_LEVEL - 1)) * sizeof(upid);
	if (pid->level < pids_level ||
	    bpf_probe_read_kernel(&upid, sizeof(upid), (const void *)at))
		return 0;
	ns = upid.ns;
	if (!ns || bpf_probe_read_kernel(&inode, sizeof(inode), &ns->ns.inum))
		return 0;
	return inode == pids_namespace ? upid.nr : 0;
}

/* The process id of a task in the profiler's namespace; 0: none. */
static __always_inline u32 pids_process(struct task_struct *task)
{
	struct pid *pid;

	if (!pids_namespace)
		return task->tgid;
	pid = task->group_leader->thread_pid;
	return pid ? pids_number(pid) : 0;
}

/* Like pids_current() for any task. */
static __always_inline u64 pids_task(struct task_struct *task)
{
	u32 process = pids_process(task);
	struct pid *pid = task->thread_pid;

	if (!process || !pid)
		return 0;
	return (u64)process << 32 |
	       (pids_namespace ? pids_number(pid) : (u32)task->pid);
}

#endif
