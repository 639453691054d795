/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Coroutines: their open calls leave a thread's chain while they wait. */
#ifndef JPBPF_CALLS_COROUTINE_BPF_H
#define JPBPF_CALLS_COROUTINE_BPF_H

#include "bpf/calls/calls.bpf.h"

struct coroutine {
	u64 top, bottom; /* addresses of its open calls; 0: there are none */
	u64 base;	 /* of the one around it; 0: there is none */
	u64 time;	 /* when it was suspended */
};
MAP(call_coroutines, HASH, BPF_F_NO_PREALLOC, 1, struct call_at,
    struct coroutine);
struct map_call_coroutines call_coroutines SEC(".maps");

struct chain {
	struct call_at at;
	u64 end;       /* address behind which the chain ends */
	u64 suspended; /* what its calls have waited */
	u64 bottom;    /* address of the last one before the end */
};

static long along(u32 i, struct chain *c)
{
	struct call_open *o = find_open(c->at.address, c->at.pid);

	if (!o || c->at.address == c->end)
		return 1;
	o->suspended += c->suspended;
	c->bottom = c->at.address;
	c->at.address = o->outer;
	return 0;
}

static __always_inline struct coroutine *coroutine_of(struct call_event *e)
{
	const struct coroutine none = { 0 };
	struct coroutine *c = bpf_map_lookup_elem(&call_coroutines, &e->at);

	if (c)
		return c;
	if (bpf_map_update_elem(&call_coroutines, &e->at, &none, BPF_NOEXIST))
		COUNT(open);
	return bpf_map_lookup_elem(&call_coroutines, &e->at);
}

static __noinline int resume(struct call_event *e)
{
	struct coroutine *c;
	struct call_open *bottom;
	struct chain chain = { 0 };
	u64 *top;

	if (!e)
		return 0;
	c = coroutine_of(e);
	top = thread_top();
	if (!c || !top)
		return 0;
	c->base = *top;
	bottom = find_open(c->bottom, e->at.pid);
	if (c->top && bottom) {
		bottom->outer = c->base;
		chain.at = (struct call_at){ c->top, e->at.pid };
		chain.end = c->base;
		chain.suspended = bpf_ktime_get_ns() - c->time;
		bpf_loop(MAX_POPS, along, &chain, 0);
		*top = c->top;
	}
	c->top = c->bottom = 0;
	return 0;
}

static __noinline int suspend(struct call_event *e)
{
	struct coroutine *c;
	struct call_open *bottom, *base;
	struct chain chain = { 0 };
	u64 *top, active;

	if (!e)
		return 0;
	c = coroutine_of(e);
	top = thread_top();
	if (!c || !top || *top == c->base)
		return 0;
	c->time = bpf_ktime_get_ns();
	c->top = *top;
	chain.at = (struct call_at){ *top, e->at.pid };
	chain.end = c->base;
	bpf_loop(MAX_POPS, along, &chain, 0);
	c->bottom = chain.bottom;
	*top = c->base;
	bottom = find_open(c->bottom, e->at.pid);
	base = find_open(c->base, e->at.pid);
	if (!bottom)
		return 0;
	active = c->time - bottom->start - bottom->suspended;
	if (base)
		base->child += active - bottom->charged;
	bottom->charged = active;
	bottom->outer = 0;
	return 0;
}

#endif
