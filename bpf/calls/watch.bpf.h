/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Watchpoints on chosen functions, in place of uprobes that every call pays.
 *
 * A call of a function writes a word of the function when it begins, and when it ends.  The
 * instruction tells which: the map call_watches has the place for the address behind each
 * of both.  An event that a thread inherits has no cookie.
 *
 * While user space changes from one way to the other, both tell of a call: the watchpoint
 * first that it begins, the uprobe first that it ends.  What comes second is ignored.
 */
#ifndef JPBPF_CALLS_WATCH_BPF_H
#define JPBPF_CALLS_WATCH_BPF_H

#include "bpf/calls/calls.bpf.h"

/* Index in call_places by the address behind an instruction, and pid. */
MAP(call_watches, HASH, 0, 1, struct call_at, u32);
struct map_call_watches call_watches SEC(".maps");
/* How the names of functions begin that can be chosen. */
MAP(call_names, HASH, 0, 1, struct call_name, u32);
struct map_call_names call_names SEC(".maps");

u64 call_hits; /* of watchpoints */

/* Whether a watchpoint has told of the call already. */
static __always_inline bool is_told(struct call_event *e, u32 id)
{
	struct call_open *o =
		e->watched ? NULL : find_open(e->at.address, e->at.pid);

	if (!o || !o->watched || o->id != id)
		return false;
	o->watched = 0;
	return true;
}

/* Counts functions whose names can be chosen. */
static __always_inline void made(struct call_event *e, struct call_place *p)
{
	const struct call_name any = { CALL_ANY_NAME };
	struct call_name name = { 0 };

	bpf_probe_read_user_str(&name, sizeof(name), (const void *)e->third);
	if (bpf_map_lookup_elem(&call_names, &name) ||
	    bpf_map_lookup_elem(&call_names, &any))
		__sync_fetch_and_add(&p->hits, 1);
}

#endif
