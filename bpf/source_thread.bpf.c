/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The source for threads that are on no CPU: user space reads an iterator over the tasks
 * of a process, and each task is walked where it stands.  Nothing is stopped.
 *
 * The registers of such a task are those that the kernel saved when the task entered it
 * last.  The walk reads the memory of the task's process (direct_foreign), not that of
 * the current one.  A task that gets a CPU meanwhile is not sent, and user space asks
 * again.  A task on a CPU is left to the perf events: its registers are there.
 */
#include "bpf/sample.bpf.h"

SEC("iter/task")
int on_thread(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct event e = { .source = SOURCE_COUNT, .level = LEVEL_TASK };

	if (!task || !task->mm || task->on_cpu)
		return 0;
	e.task = task;
	sample_take(&e);
	return 0;
}
