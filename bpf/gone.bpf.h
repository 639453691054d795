/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What is gone of an entry of the process table (struct gone).
 *
 * The entry is user space's to change at any moment, so it is not written, but for
 * gone_of: should the entry's place be another's by then, that is not believed there.
 */
#ifndef JPBPF_GONE_BPF_H
#define JPBPF_GONE_BPF_H

#include "bpf/notice.bpf.h"

/* So many areas that are not one within the other, and the whole entry is void: what a
 * process can make us do for one entry is bounded. */
#define GONE_AREAS 16u

/* Of the entry with that serial; NULL: nothing, or it is not known what. */
static __always_inline struct gone *gone_find(u32 of)
{
	struct gone *g = bpf_map_lookup_elem(&gone, &of);

	return g && g->of == of ? g : NULL;
}

/* Since then there is nothing more from start to end. */
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

/* A child's entry, the copy of one with that serial, lacks the same. */
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
	/* Without it all is taken for gone. */
	bpf_map_update_elem(&gone, &g->of, g, BPF_ANY);
	entry->gone_of = entry->serial;
}

#endif
