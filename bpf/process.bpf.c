/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Upkeep of the process table on fork, exec and exit, and notices of each to user
 * space.
 *
 * This work cannot wait for user space.  A forked child gets a copy of its parent's
 * entry before it first runs: its address space is the same, so its tables are too.  An
 * exec marks the entry pending before the new program's first instruction, because the
 * old tables would unwind the new program wrongly.  An exit removes the entry.  The
 * entry also has the address of the mm_struct that it is about, by which samples of
 * another program in the same process are recognised.
 */
#include "bpf/calls/call.bpf.h"
#include "bpf/fresh.bpf.h"
#include "bpf/notice.bpf.h"
#include "bpf/pids.bpf.h"
#include "bpf/walk.bpf.h"

const volatile u32 watch_all =
	0; /* send notices of execs outside the table too */
/* Send notices of forks of ignored processes too: their programs may be wanted. */
const volatile u32 watch_ignored = 0;

u32 next_serial = SERIAL_FROM_KERNEL;

/* The process table is full: counts that, and returns the serial for "no entry". */
static __always_inline u32 no_room(void)
{
	notice_count(HOST_PROCESSES);
	return 0;
}

static __always_inline void set_memory(struct process_entry *entry,
				       struct task_struct *task)
{
	entry->memory = direct_mm(task);
	entry->memory_of = entry->serial;
}

/* Returns 0, or -1 if there is no room for what a walker knows of the child. */
static __always_inline int fork_walkers(const struct process_entry *entry,
					u32 parent, u32 child)
{
	int err = 0;

#define WALKER(id, name, title, traits)        \
	if ((traits)&WALKER_KEEPS_PROCESSES && \
	    entry->walkers >> WALKER_##id & 1) \
		err |= name##_fork(parent, child);
#include "walkers/walkers.def"
	return err;
}

static __always_inline void exit_walkers(u32 pid)
{
	bpf_map_delete_elem(&fresh, &pid);
#define WALKER(id, name, title, traits)      \
	if ((traits)&WALKER_KEEPS_PROCESSES) \
		name##_exit(pid);
#include "walkers/walkers.def"
}

/* Gives the process an entry that user space has yet to fill.  The walkers' data, which
 * are another program's, go after the entry has changed, as in on_exit().  Returns the
 * entry's serial. */
static __always_inline u32 put_pending(u32 pid, struct task_struct *task)
{
	struct process_entry entry = { .state = PROCESS_PENDING };

	entry.serial = notice_serial();
	set_memory(&entry, task);
	if (bpf_map_update_elem(&processes, &pid, &entry, BPF_ANY))
		entry.serial = no_room();
	exit_walkers(pid);
	return entry.serial;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 parent_pid = pids_process(parent), pid = pids_process(child);
	struct process_entry entry, *p;

	if (parent_pid == pid || !parent_pid || !pid)
		return 0;
	p = bpf_map_lookup_elem(&processes, &parent_pid);
	if (!p || (p->state == PROCESS_IGNORED && !watch_ignored))
		return 0;
	entry = *p;
	/* The address spaces diverge from here on: caches must not be shared. */
	entry.serial = notice_serial();
	entry.strays = 0;
	set_memory(&entry, child);
	/* The entry is put in last, because samples use everything once it is there. */
	if (fresh_fork(&entry, parent_pid, pid) ||
	    fork_walkers(&entry, parent_pid, pid) ||
	    bpf_map_update_elem(&processes, &pid, &entry, BPF_ANY)) {
		exit_walkers(pid);
		entry.serial = no_room();
	}
	/* If the notice is lost, user space does not know of the child and may reuse
	 * the tables that the child shares.  It learns of the child by the child's
	 * first sample, which is deferred. */
	if (notice_send(NOTICE_FORK, parent_pid, entry.serial, pid) &&
	    entry.serial)
		put_pending(pid, child);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	u32 pid = pids_process(task);
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);

	if (config.calls)
		calls_ended(pid);
	if (!pid || (!p && !watch_all))
		return 0;
	notice_send(NOTICE_EXEC, pid, put_pending(pid, task), 0);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	u32 pid = pids_process(task);
	struct process_entry *p;
	u32 serial;

	if (config.calls)
		calls_ended(pid);
	if (BPF_CORE_READ(task, signal, live.counter) > 0)
		return 0;
	p = bpf_map_lookup_elem(&processes, &pid);
	serial = p ? p->serial : 0;
	bpf_map_delete_elem(&processes, &pid);
	/* After the entry: user space checks the entry after it has added such data. */
	exit_walkers(pid);
	if (!p)
		return 0;
	notice_send(NOTICE_EXIT, pid, serial, 0);
	return 0;
}
