/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The sources of samples.  Each fills in a struct event and calls sample_take().
 *
 * on_sample: perf events, which are the clock, a hardware counter, or a software event of
 * the kernel.  User space has set the event and its level in config.  Of several, each
 * event has its own in its cookie.
 *
 * on_thread: threads that are on no CPU.  User space reads an iterator over the tasks of a
 * process, and each task is walked where it stands.  Nothing is stopped.  The registers of
 * such a task are those that the kernel saved when the task entered it last.  The walk
 * reads the memory of the task's process (direct_foreign), not that of the current one.  A
 * task that gets a CPU meanwhile is not sent, and user space asks again.  A task on a CPU
 * is left to the perf events: its registers are there.
 *
 * on_error: uprobes where an interpreter or the C++ runtime raises an error
 * (user/processes/probes.c).  The walker that knows the place says whether this is an
 * error; what is none is not counted, and costs no walk.
 *
 * on_enter: calls of chosen functions.  on_call (bpf/calls) goes on here.
 */
#include "bpf/calls/call.bpf.h"
#include "bpf/sample.bpf.h"

#include <jpbpf/probe.h>

SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	struct event e = {
		.regs = &ctx->regs,
		.stack = ctx,
		.source = config.source,
		.level = config.level,
		.value = ctx->sample_period,
	};

	if (config.level == SOURCE_LEVELS) {
		u64 cookie = bpf_get_attach_cookie(ctx);

		e.source = (u8)cookie;
		e.level = (u8)(cookie >> 8);
		e.account = cookie >> 16;
	}
	return sample_take(&e);
}

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

/* __cxa_throw(object, type, destructor): the type's name is the second word of a
 * std::type_info. */
static __always_inline int throw_cause(struct cause *c)
{
	return !cause_read(&c->class, sizeof(c->class), c->value + 8);
}

static __always_inline int is_error(struct cause *c, u32 walker)
{
	switch (walker) {
#define WALKER(id, name, title, traits)        \
	case WALKER_##id:                      \
		if (!((traits)&WALKER_RAISES)) \
			return 0;              \
		return name##_cause(c);
#include "walkers/walkers.def"
	default:
		return throw_cause(c);
	}
}

SEC("uprobe")
int on_error(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx);
	struct cause c = {
		.kind = probe_kind(cookie),
		.param = probe_param(cookie),
		.value = arch_register(ctx, probe_register(cookie)),
		.third = arch_register(ctx, REG_ARG2),
	};
	struct event e = {
		.source = SOURCE_ERRORS,
		.level = LEVEL_TASK,
		.value = 1,
		.cause = &c,
		.walker = probe_walker(cookie),
		.account = config.account[SOURCE_ERRORS],
	};

	if (is_error(&c, e.walker))
		sample_take(&e);
	return 0;
}

SEC("uprobe")
int on_enter(struct pt_regs *ctx)
{
	struct event e = {
		.source = SOURCE_ENTERS,
		.level = LEVEL_TASK,
		.value = calls_entered(),
		.account = config.account[SOURCE_ENTERS],
	};

	sample_take(&e);
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
