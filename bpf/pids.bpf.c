/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Pids of the running task in the profiler's namespace.
 *
 * bpf_get_ns_current_pid_tgid() does not serve: it knows the tasks of exactly one
 * namespace, and not those of containers inside it.
 */
#include "bpf/pids.bpf.h"

const volatile u32 pids_namespace = 0;
u32 pids_level = 0;

__noinline u64 pids_current(void)
{
	return pids_task(bpf_get_current_task_btf());
}

/*
 * Run by user space itself at the start: finds the depth of its namespace.  Returns the
 * caller's pid as the other programs will see it, for comparison; 0: failed.
 */
SEC("raw_tp")
int pids_find(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pid *pid = task->thread_pid;

	(void)ctx;
	if (!pids_namespace || !pid)
		return 0;
	pids_level = pid->level;
	return pids_process(task);
}
