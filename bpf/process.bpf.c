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
#include "bpf/gone.bpf.h"
#include "bpf/notice.bpf.h"
#include "bpf/pids.bpf.h"
#include "bpf/walk.bpf.h"

const volatile u32 watch_all = 0; /* tell of execs outside the table as well */
/* Tell of forks of what is not wanted as well: their programs may be. */
const volatile u32 watch_ignored = 0;

u32 next_serial = SERIAL_FROM_KERNEL;

/* The process table is full: the serial of what has no entry. */
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

/* 0, or -1: there is no room for a walker's part of the child. */
static __always_inline int fork_walkers(const struct process_entry *entry,
					u32 parent, u32 child)
{
	int err = 0;

#define WALKER(id, name, title, traits)        \
	if (entry->walkers >> WALKER_##id & 1) \
		err |= name##_fork(parent, child);
#include "walkers/walkers.def"
	return err;
}

static __always_inline void exit_walkers(u32 pid)
{
#define WALKER(id, name, title, traits) name##_exit(pid);
#include "walkers/walkers.def"
}

/* User space does not know of the child: the tables that it shares could be reused.  Its
 * samples are deferred, and with the first one it will be known. */
static __always_inline void forget_parent(u32 pid, struct process_entry *entry)
{
	exit_walkers(pid);
	entry->state = PROCESS_PENDING;
	entry->maps = 0;
	entry->walkers = 0;
	entry->gone_of = 0;
	/* It does not run yet. */
	if (entry->serial)
		bpf_map_update_elem(&processes, &pid, entry, BPF_ANY);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 parent_pid = pids_process(parent), pid = pids_process(child);
	struct process_entry entry, *p;
	struct gone g;

	if (parent_pid == pid || !parent_pid || !pid)
		return 0;
	p = bpf_map_lookup_elem(&processes, &parent_pid);
	if (!p || (p->state == PROCESS_IGNORED && !watch_ignored))
		return 0;
	entry = *p;
	/* Names and tables diverge from here on: caches must not be shared. */
	entry.serial = notice_serial();
	entry.kept = 0;
	set_memory(&entry, child);
	/* What is not the entry's first: once that is there, samples use all. */
	gone_fork(&g, &entry, p->serial);
	if (fork_walkers(&entry, parent_pid, pid) ||
	    bpf_map_update_elem(&processes, &pid, &entry, BPF_ANY)) {
		exit_walkers(pid);
		entry.serial = no_room();
	}
	if (notice_send(NOTICE_FORK, parent_pid, entry.serial, pid))
		forget_parent(pid, &entry);
	if (entry.serial && entry.gone_of == entry.serial)
		gone_notice(pid, &g, g.start, g.end);
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
	entry.serial = notice_serial();
	set_memory(&entry, task);
	if (bpf_map_update_elem(&processes, &pid, &entry, BPF_ANY))
		entry.serial = no_room();
	/* What the walkers know is of the old program.  In this order as at the end. */
	exit_walkers(pid);
	notice_send(NOTICE_EXEC, pid, entry.serial, 0);
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
	serial = p ? p->serial : 0;
	bpf_map_delete_elem(&processes, &pid);
	/* After the entry: user space puts them there, and looks for it then. */
	exit_walkers(pid);
	if (!p)
		return 0;
	notice_send(NOTICE_EXIT, pid, serial, 0);
	return 0;
}
