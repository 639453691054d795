/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Calls that begin: functions become known, and calls open. */
#ifndef JPBPF_CALLS_ENTER_BPF_H
#define JPBPF_CALLS_ENTER_BPF_H

#include "bpf/calls/leave.bpf.h"

/* Makes the function known.  0: there is no room, or it cannot be asked for. */
static __noinline u32 make_known(struct call_event *e)
{
	struct call_function f = { .state = CALL_ASKED };

	if (!e)
		return 0;
	f.id = __sync_fetch_and_add(&last_id, 1) + 1;
	if (bpf_map_update_elem(&call_rows, &f.id, &empty_row, BPF_NOEXIST))
		return 0;
	if (!bpf_map_update_elem(&call_functions, &e->function, &f,
				 BPF_NOEXIST)) {
		if (!ask(e, f.id))
			return f.id;
		bpf_map_delete_elem(&call_functions, &e->function);
	}
	bpf_map_delete_elem(&call_rows, &f.id);
	return 0;
}

struct searching {
	u64 address, pid;
	u32 id, found;
};

/* One call outward. */
static long search(u32 i, struct searching *s)
{
	struct call_open *o = find_open(s->address, s->pid);

	if (!o || !(o->seen >> (s->id & 63) & 1))
		return 1;
	s->found = o->id == s->id;
	s->address = o->outer;
	return s->found;
}

/* The number of a stack, made when it is new; 0: there is no room. */
static __noinline u32 node_of(u32 around, u32 id)
{
	struct call_step step = { around, id };
	struct call_node made = { 0 },
			 *n = bpf_map_lookup_elem(&call_nodes, &step);

	if (n)
		return n->node;
	made.node = __sync_fetch_and_add(&last_node, 1) + 1;
	if (bpf_map_update_elem(&call_nodes, &step, &made, BPF_NOEXIST)) {
		COUNT(stacks);
		return 0;
	}
	return made.node;
}

/* Whether a call of the same function is around. */
static __noinline u32 is_nested(u64 address, u64 pid, u32 id)
{
	struct searching s = { address, pid, id };

	bpf_loop(MAX_POPS, search, &s, 0);
	return s.found;
}

static __always_inline int push(struct call_event *e, u32 id)
{
	u64 pid = e->at.pid, bit = 1ull << (id & 63), *top = thread_top();
	struct call_open *outer = top ? find_open(*top, pid) : NULL;
	struct call_open *o = top ? make_open(e->at.address, pid) : NULL;

	if (!o)
		return -1;
	o->outer = outer ? *top : 0;
	o->child = o->suspended = o->charged = o->inner = o->direct = 0;
	o->seen = outer ? outer->seen | bit : bit;
	o->id = id;
	o->tid = thread_id();
	o->walker = e->function.walker;
	o->watched = e->watched;
	o->function = e->function.word[0];
	o->nested = outer && outer->seen & bit ? is_nested(*top, pid, id) : 0;
	if (config.call_nodes) {
		o->around = outer ? outer->node : 0;
		o->node = node_of(o->around, id);
	}
	o->depth = outer ? outer->depth + 1 : 0;
	o->start = bpf_ktime_get_ns();
	barrier();
	o->pid = pid;
	*top = e->at.address;
	if (config.call_log == CALL_LOG_BOTH)
		tell(e, o, CALL_BEGINS, o->start);
	return 0;
}

/* Closes the innermost call, if its function is not wanted. */
static long drop(u32 i, struct popping *p)
{
	struct call_open *o = find_open(p->at.address, p->at.pid);

	if (!o || is_wanted(o))
		return 1;
	p->at.address = close_call(&p->at, o, CALL_JUMP, p->now);
	return 0;
}

/* Since the uprobes went, it is not seen how calls are left that began when it was not
 * known whether they are wanted. */
static __noinline int leave_unwanted(struct call_event *e)
{
	struct popping p = { 0 };
	struct call_open *o;
	u64 *top = thread_top();

	if (!e || !top)
		return 0;
	p.at = (struct call_at){ *top, e->at.pid };
	bpf_loop(MAX_POPS, drop, &p, 0);
	*top = p.at.address;
	o = find_open(e->at.address, e->at.pid);
	if (o && !is_wanted(o))
		close_call(&e->at, o, CALL_JUMP, 0);
	return 0;
}

/* What stands where the new call does has been left. */
static __noinline int leave_stale(struct call_event *e)
{
	struct popping p = { 0 };
	struct call_open *o;
	u64 *top = thread_top();

	if (!e || !top)
		return 0;
	p.now = bpf_ktime_get_ns();
	p.walker = CALL_NATIVE;
	p.bound = e->function.walker == CALL_NATIVE ? e->at.address + 1 : 0;
	pop_all(&p, e->at.pid, top);
	o = find_open(e->at.address, e->at.pid);
	if (!o)
		return 0;
	leave_unseen(e, top, p.now);
	count_unseen(o);
	*top = close_call(&e->at, o, CALL_JUMP, p.now);
	return 0;
}

#endif
