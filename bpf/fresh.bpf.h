/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What processes have mapped executable lately (struct fresh).
 *
 * User space reads what a process maps and publishes that some milliseconds later, at
 * high rates of samples much later.  A sample at an address that was mapped since the
 * reading is deferred (defer.bpf.c), and walked by what was mapped at its time.
 *
 * fresh.bpf.c notes an area first and then marks the entry (process_entry.fresh).  User
 * space publishes each entry with a mark, so an entry that it has written at that very
 * moment has one, too.  The first sample that finds no later area removes it.  A mark is a
 * serial, so none is removed that has come meanwhile, or that is another process's.
 *
 * Areas of one process are noted one after the other, because the kernel holds the lock
 * of its memory meanwhile.  A reader that meets a change takes the whole process for not
 * published.
 */
#ifndef JPBPF_FRESH_BPF_H
#define JPBPF_FRESH_BPF_H

#include "bpf/notice.bpf.h"

/* Copies the later areas into the walk, whose serial is then that of the areas. */
static __always_inline void fresh_begin(struct walk *w, struct process_entry *p)
{
	u32 pid = w->pid, mark = w->process.fresh, version;
	struct fresh *f = bpf_map_lookup_elem(&fresh, &pid);
	/* The verifier would follow each number by itself if it knew it. */
	volatile u32 *n = &w->fresh_n;

	if (f) {
		version = *(volatile u32 *)&f->version;
		barrier();
		for (u32 i = 0; i < FRESH_AREAS; i++) {
			w->fresh[*n & (FRESH_AREAS - 1)] = f->area[i];
			*n += i < f->n && f->area[i].time >= w->process.since;
		}
		if (*n)
			w->process.serial = f->serial;
		barrier();
		if (version & 1 || *(volatile u32 *)&f->version != version)
			w->process.state = PROCESS_PENDING;
	}
	if (!*n && w->process.state == PROCESS_READY)
		__sync_val_compare_and_swap(&p->fresh, mark, 0);
}

/* The child has its parent's areas.  A thread of the parent that changes them at this
 * moment has mapped for the parent alone, and may have them in disorder.  Returns 0, or -1
 * if the areas cannot be had. */
static __always_inline int fresh_fork(struct process_entry *entry, u32 parent,
				      u32 child)
{
	struct fresh *f = bpf_map_lookup_elem(&fresh, &parent);
	u32 version;

	if (!f || !entry->fresh)
		return 0;
	entry->fresh = entry->serial;
	version = *(volatile u32 *)&f->version;
	if (bpf_map_update_elem(&fresh, &child, f, BPF_ANY))
		return -1;
	return version & 1 || *(volatile u32 *)&f->version != version ? -1 : 0;
}

#endif
