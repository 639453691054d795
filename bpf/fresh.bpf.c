/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Notes where processes are about to map libraries, and code of their own.
 *
 * The kernel chooses the addresses of a new mapping before anything is mapped there
 * (vm_unmapped_area).  The loader chooses them for the whole of a library, and maps the
 * code there afterwards.  Memory that is not executable is passed over.
 */
#include "bpf/fresh.bpf.h"
#include "bpf/pids.bpf.h"

#include "arch/registers.bpf.h"

#define PAGE 4096u

/* Drops the areas that the entry's mappings include, and those within the new one.  If
 * none can be dropped, one area takes the place of all. */
static __always_inline void make_room(struct fresh *f, u64 since, u64 start,
				      u64 end)
{
	struct fresh_area all = { .start = ~0ull };
	volatile u32 *n = &f->n; /* not known to the verifier */
	u32 before = f->n;

	*n = 0;
	for (u32 i = 0; i < before && i < FRESH_AREAS; i++) {
		struct fresh_area a = f->area[i];

		if (a.time < since || (a.start >= start && a.end <= end))
			continue;
		if (a.start < all.start)
			all.start = a.start;
		if (a.end > all.end)
			all.end = a.end;
		if (a.time > all.time)
			all.time = a.time;
		f->area[(*n)++ & (FRESH_AREAS - 1)] = a;
	}
	if (*n == FRESH_AREAS) {
		f->area[0] = all;
		*n = 1;
	}
}

/* Adds an area. */
static __always_inline void add(struct fresh *f, const struct process_entry *p,
				u64 start, u64 end)
{
	struct fresh_area *a;

	__sync_fetch_and_add(&f->version, 1);
	make_room(f, p->since, start, end);
	a = &f->area[f->n & (FRESH_AREAS - 1)];
	a->start = start;
	a->end = end;
	a->time = bpf_ktime_get_ns();
	f->n++;
	f->serial = notice_serial();
	/* After all of it, and before the entry is looked up again. */
	__sync_fetch_and_add(&f->version, 1);
}

/* The process with this pid and memory will have another mapping in [start, end). */
__noinline int fresh_note(u32 pid, u64 mm, u64 start, u64 end)
{
	struct process_entry *p = bpf_map_lookup_elem(&processes, &pid);
	struct fresh *f;

	if (!p || p->state == PROCESS_IGNORED)
		return 0;
	/* The process is in an exec, and the entry is about the old program. */
	if (p->memory_of == p->serial && p->memory != mm)
		return 0;
	f = bpf_map_lookup_elem(&fresh, &pid);
	if (!f) {
		struct fresh none = {};

		bpf_map_update_elem(&fresh, &pid, &none, BPF_ANY);
		f = bpf_map_lookup_elem(&fresh, &pid);
	}
	if (!f) {
		/* No sample is walked until user space has looked again. */
		p->state = PROCESS_PENDING;
		notice_send(NOTICE_UNMAPPED, pid, p->serial, start);
		return 0;
	}
	add(f, p, start, end);
	p = bpf_map_lookup_elem(&processes, &pid);
	if (p)
		p->fresh = f->serial;
	return 0;
}

SEC("tp_btf/vm_unmapped_area")
int BPF_PROG(on_area, unsigned long start, struct vm_unmapped_area_info *info)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = (void *)bpf_task_pt_regs(task);
	u64 mm = direct_mm(task);
	u32 pid = pids_process(task);

	/* An error code is not page-aligned: no area was found. */
	if (start & (PAGE - 1) || !pid || !mm || ARCH_MAPS_DATA(regs))
		return 0;
	return fresh_note(pid, mm, start, start + info->length);
}
