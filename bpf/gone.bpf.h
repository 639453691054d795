/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The replaced address range of an entry of the process table (struct gone).
 *
 * User space may change the entry at any moment, so only gone_of is written in it.  If
 * another entry has taken its place meanwhile, the serial in gone_of differs from that
 * entry's and is ignored.
 */
#ifndef JPBPF_GONE_BPF_H
#define JPBPF_GONE_BPF_H

#include "bpf/notice.bpf.h"

/* Areas, none within the range so far, after which the whole entry is void.  This
 * bounds the work that a process can cause for one entry. */
#define GONE_AREAS 16u

/* The replaced range of the entry with the serial `of`; NULL: none, or not known. */
static __always_inline struct gone *gone_find(u32 of)
{
	struct gone *g = bpf_map_lookup_elem(&gone, &of);

	return g && g->of == of ? g : NULL;
}

/* Tells user space that [start, end) of the entry is replaced from now on. */
static __always_inline void gone_notice(u32 pid, const struct gone *g,
					u64 start, u64 end)
{
	struct notice n = {
		.kind = NOTICE_GONE,
		.pid = pid,
		.process = g->of,
		.arg = start,
		.end = end,
	};

	notice_put(&n);
}

/* The child's entry, a copy of the one with the serial `from`, has the same replaced
 * range as that one. */
static __always_inline void gone_fork(struct gone *g,
				      struct process_entry *entry, u32 from)
{
	struct gone *parents;

	*g = (struct gone){ .of = entry->serial, .end = ~0ull };
	if (entry->gone_of != from) {
		entry->gone_of = 0;
		return;
	}
	parents = gone_find(from);
	if (parents) {
		g->start = parents->start;
		g->end = parents->end;
		g->areas = parents->areas;
	}
	g->serial = notice_serial();
	/* If this fails, the whole entry counts as replaced. */
	bpf_map_update_elem(&gone, &g->of, g, BPF_ANY);
	entry->gone_of = entry->serial;
}

#endif
