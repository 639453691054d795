/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Address ranges that a process is about to map where another mapping was published.
 *
 * An unloaded library leaves its addresses to the next one.  The kernel chooses the
 * addresses of a new mapping before anything is mapped there (vm_unmapped_area).  From
 * that moment no sample of the process may be walked by what was published for these
 * addresses.  A sample that needs them is deferred (defer.bpf.c) and walked after user
 * space has looked at the process again.
 *
 * User space may be about to publish an entry that is older than the new mapping.  That
 * entry has another serial, so nothing is marked as replaced in it here.  The kernel's
 * own records of executable mappings tell user space in this case.
 *
 * The areas of one process come one after the other, because the kernel holds the lock
 * of its memory meanwhile.
 */
#include "bpf/arena.bpf.h"
#include "bpf/gone.bpf.h"
#include "bpf/pids.bpf.h"

#define PAGE 4096u

/* Mark [start, end) as replaced in the entry with the serial `of`. */
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
	/* The notice must reach the ring before any sample with this serial. */
	gone_notice(pid, &g, start, end);
	if (!bpf_map_update_elem(&gone, &of, &g, BPF_ANY))
		p->gone_of = of;
}

/* The process with this pid and memory will have another mapping in [start, end). */
__noinline int area_choose(u32 pid, u64 mm, u64 start, u64 end)
{
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	struct unwind_mapping *m;
	u32 serial;

	if (!p || p->state != PROCESS_READY)
		return 0;
	serial = p->serial;
	/* The process is in an exec, and the entry is about the old program. */
	if (p->memory_of == serial && p->memory != mm)
		return 0;
	m = p->maps ? mapping_find(p, end - 1) : NULL;
	if (m && m->end > start)
		lose(pid, serial, start, end);
	return 0;
}

SEC("tp_btf/vm_unmapped_area")
int BPF_PROG(on_area, unsigned long start, struct vm_unmapped_area_info *info)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 end = start + info->length, mm = direct_mm(task);
	u32 pid = pids_process(task);

	/* An error code is not page-aligned: no area was found. */
	if (start & (PAGE - 1) || !pid || !mm)
		return 0;
	area_choose(pid, mm, start, end);
	/* A child of vfork() maps in its parent's memory. */
	if (task->vfork_done && direct_mm(task->real_parent) == mm)
		area_choose(pids_process(task->real_parent), mm, start, end);
	return 0;
}
