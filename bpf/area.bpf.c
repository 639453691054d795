/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a process is about to map, where something else was.
 *
 * A library that is unloaded leaves its addresses to the next one.  That an address
 * is free again is told by the kernel when it chooses it for a new mapping, before
 * anything is there: from this moment on no sample of the process may be walked by
 * what was published for these addresses.  It is deferred (defer.bpf.c), and walked when
 * user space has looked.
 *
 * User space may be about to publish what it found before.  That entry has another serial,
 * and nothing is known here of what it lacks: of what is executable there the kernel's
 * own records tell user space.
 *
 * A process's areas come one after the other: its memory is locked meanwhile.
 */
#include "bpf/arena.bpf.h"
#include "bpf/gone.bpf.h"
#include "bpf/pids.bpf.h"

#define PAGE 4096u

/* The entry with that serial has nothing there any more. */
static __always_inline void lose(u32 pid, u32 of, u64 start, u64 end)
{
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	struct gone g = { .of = of, .start = start, .end = end, .areas = 1 };
	struct gone *before;

	if (!p || p->serial != of)
		return;
	before = gone_find(of);
	if (p->gone_of == of && !before)
		return;
	if (p->gone_of == of && before) {
		if (start >= before->start && end <= before->end)
			return;
		g.areas += before->areas;
		if (before->start < start)
			g.start = before->start;
		if (before->end > end)
			g.end = before->end;
	}
	if (g.areas > GONE_AREAS) {
		g.start = start = 0;
		g.end = end = ~0ull;
	}
	g.serial = notice_serial();
	/* Before any sample that has this serial. */
	gone_notice(pid, &g, start, end);
	if (!bpf_map_update_elem(&gone, &of, &g, BPF_ANY))
		p->gone_of = of;
}

/* A process of this pid and memory will have something else there. */
__noinline int area_choose(u32 pid, u64 mm, u64 start, u64 end)
{
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	u32 serial;

	if (!p || p->state != PROCESS_READY)
		return 0;
	serial = p->serial;
	/* Or it is starting another program, and the entry is the old one's. */
	if (p->memory_of == serial && p->memory != mm)
		return 0;
	if (arena_maps(p->maps_first, p->maps, start, end))
		lose(pid, serial, start, end);
	return 0;
}

SEC("tp_btf/vm_unmapped_area")
int BPF_PROG(on_area, unsigned long start, struct vm_unmapped_area_info *info)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 end = start + info->length, mm = direct_mm(task);
	u32 pid = pids_process(task);

	/* An error's number: there is none. */
	if (start & (PAGE - 1) || !pid || !mm)
		return 0;
	area_choose(pid, mm, start, end);
	/* A child of vfork() maps in its parent's memory. */
	if (task->vfork_done && direct_mm(task->real_parent) == mm)
		area_choose(pids_process(task->real_parent), mm, start, end);
	return 0;
}
