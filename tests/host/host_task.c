/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Who is running, what time it is, and the loop: the small helpers. */
#include "host.h"

#include <bpf/bpf_helpers.h>

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

u64 host_now = 1000000000;
u64 host_tick;
u64 host_loop_turns;
struct task_struct host_task_current;
struct pt_regs host_task_saved;

/* fn's second parameter is a pointer of any type. */
long host_loop(__u32 turns, void *fn, void *ctx, __u64 flags)
{
	long (*call)(u32 i, void *ctx) = fn;
	u32 i;

	(void)flags;
	for (i = 0; i < turns; i++)
		if (call(i, ctx))
			break;
	host_loop_turns = i;
	return i;
}

__u64 host_time(void)
{
	host_now += host_tick;
	return host_now;
}

__u64 host_cookie;

__u32 host_cpu(void)
{
	return 0;
}

__u32 host_random_u32(void)
{
	static u64 state = 1;

	return host_random(&state);
}

__u64 host_pid_tgid(void)
{
	return (u64)getpid() << 32 | (u32)syscall(SYS_gettid);
}

long host_comm(char *out, __u32 size)
{
	memset(out, 0, size);
	memcpy(out, "host", size < 5 ? size : 5);
	return 0;
}

struct task_struct *host_task(void)
{
	return &host_task_current;
}

/* The only task has one word of storage. */
void *host_storage(const void *map)
{
	static u64 word;

	(void)map;
	return &word;
}

struct pt_regs *host_task_registers(struct task_struct *task)
{
	(void)task;
	return &host_task_saved;
}

/* There are no kernel frames: samples are of user mode unless a test says so. */
long host_kernel_stack(void *ctx, void *out, __u32 size, __u64 flags)
{
	(void)ctx;
	(void)out;
	(void)size;
	(void)flags;
	return 0;
}
