/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Processes as they come and go.
 *
 * What must not wait for user space is done right here: a forked child gets a
 * copy of its parent's entry before it first runs (same address space, so the
 * same tables), an exec marks the entry pending before the new program's first
 * instruction (the old tables would unwind it wrongly), an exit removes it.  Whose
 * memory an entry is about stands in it, so that another program's samples are told.
 * User space is told of each by a notice.
 */
#include "bpf/pids.bpf.h"
#include "bpf/walk.bpf.h"

const volatile u32 watch_all = 0; /* tell of execs outside the table as well */

u32 next_serial = SERIAL_FROM_KERNEL;

static __always_inline void count(u32 status)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct cpu_stats *s = bpf_map_lookup_elem(&stats, &cpu);

	if (s)
		__sync_fetch_and_add(&s->status[status], 1);
}

/* 0, or -1 and counted when the ring buffer has no room. */
static __always_inline int notice(u32 kind, u32 pid, u32 serial, u64 arg)
{
	struct notice n = {
		.type = RECORD_NOTICE,
		.kind = kind,
		.pid = pid,
		.process = serial,
		.arg = arg,
		.time = bpf_ktime_get_ns(),
	};

	if (!bpf_ringbuf_output(&samples, &n, sizeof(n), BPF_RB_FORCE_WAKEUP))
		return 0;
	count(HOST_NOTICE_LOST);
	return -1;
}

/* The process table is full: the serial of what has no entry. */
static __always_inline u32 no_room(void)
{
	count(HOST_PROCESSES);
	return 0;
}

static __always_inline void set_memory(struct process_entry *entry,
				       struct task_struct *task)
{
	entry->memory = direct_mm(task);
	entry->memory_of = entry->serial;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 parent_pid = pids_process(parent), pid = pids_process(child);
	struct process_entry entry, *p;

	if (parent_pid == pid || !parent_pid || !pid)
		return 0;
	p = bpf_map_lookup_elem(&processes, &parent_pid);
	if (!p || p->state == PROCESS_IGNORED)
		return 0;
	entry = *p;
	/* Names and tables diverge from here on: caches must not be shared. */
	entry.serial = __sync_fetch_and_add(&next_serial, 1);
	entry.kept = 0;
	set_memory(&entry, child);
	/* The walkers' part first: once the entry is there, samples use both. */
#define WALKER(id, name, title)               \
	if (entry.walkers >> WALKER_##id & 1) \
		name##_fork(parent_pid, pid);
#include "walkers/walkers.def"
#undef WALKER
	if (bpf_map_update_elem(&processes, &pid, &entry, BPF_ANY))
		entry.serial = no_room();
	/* Unknown to user space, the tables it shares could be reused. */
	if (notice(NOTICE_FORK, parent_pid, entry.serial, pid))
		bpf_map_delete_elem(&processes, &pid);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	u32 pid = pids_process(task);
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	struct process_entry entry = { .state = PROCESS_PENDING };

	if (!pid || (!p && !watch_all))
		return 0;
	entry.serial = __sync_fetch_and_add(&next_serial, 1);
	set_memory(&entry, task);
	/* What the walkers know is of the old program. */
#define WALKER(id, name, title) name##_exit(pid);
#include "walkers/walkers.def"
#undef WALKER
	if (bpf_map_update_elem(&processes, &pid, &entry, BPF_ANY))
		entry.serial = no_room();
	notice(NOTICE_EXEC, pid, entry.serial, 0);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	u32 pid = pids_process(task);
	struct process_entry *p;
	u32 serial;

	if (BPF_CORE_READ(task, signal, live.counter) > 0)
		return 0;
	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p)
		return 0;
	serial = p->serial;
	bpf_map_delete_elem(&processes, &pid);
#define WALKER(id, name, title) name##_exit(pid);
#include "walkers/walkers.def"
#undef WALKER
	notice(NOTICE_EXIT, pid, serial, 0);
	return 0;
}
