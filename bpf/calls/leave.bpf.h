/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Calls that are left: one that says so, and those that a jump leaves. */
#ifndef JPBPF_CALLS_LEAVE_BPF_H
#define JPBPF_CALLS_LEAVE_BPF_H

#include "bpf/calls/tell.bpf.h"

/* Stores ns, if it is less than what is there (least), or more.  0 stands for no value yet. */
static __always_inline void make_extreme(u64 *to, u64 ns, bool least)
{
	u64 was = *to;

	for (u32 i = 0; i < SWAP_TRIES; i++) {
		u64 now;

		if (was && (least ? ns >= was : ns <= was))
			return;
		now = __sync_val_compare_and_swap(to, was, ns);
		if (now == was)
			return;
		was = now;
	}
}

static __always_inline u32 log_of(u64 ns)
{
	u32 log = 0;

	for (int k = 5; k >= 0; k--) {
		u32 by = ((1ull << (1 << k)) - 1 - ns) >> 63 << k;

		ns >>= by;
		log += by;
	}
	/* Not every verifier knows the bound. */
	barrier_var(log);
	return log & (CALL_BUCKETS - 1);
}

static __always_inline void add(u64 *to, u64 n)
{
	__sync_fetch_and_add(to, n);
}

static __always_inline void account(struct call_row *row, struct call_open *o,
				    u32 left, u64 active)
{
	add(&row->left[left & 7], 1);
	if (!o->nested) {
		add(&row->total, active);
		add(&row->outermost, 1);
		if (o->inner)
			add(&row->inner, o->inner);
	}
	if (o->direct)
		add(&row->direct, o->direct);
	add(&row->self, active - o->child);
	if (o->suspended)
		add(&row->suspended, o->suspended);
	make_extreme(&row->least, active, true);
	make_extreme(&row->most, active, false);
	add(&row->bucket[log_of(active)], 1);
}
_Static_assert(CALL_LEFT_COUNT <= 8, "account() takes 3 bits");

static __always_inline void account_node(struct call_open *o, u64 self)
{
	struct call_step step = { o->around, o->id };
	struct call_node *n = bpf_map_lookup_elem(&call_nodes, &step);

	if (!n)
		return;
	add(&n->calls, 1);
	add(&n->self, self);
}

/* The call o at `at` is left, at the time `now`.  Returns the call around it. */
static __noinline u64 close_call(struct call_at *at, struct call_open *o,
				 u32 left, u64 now)
{
	struct call_open *outer;
	struct call_row *row;
	u64 active, around;

	if (!o)
		return 0;
	active = now - o->start - o->suspended;
	around = o->outer;
	row = bpf_map_lookup_elem(&call_rows, &o->id);
	if (row) {
		account(row, o, left, active);
		if (config.call_nodes)
			account_node(o, active - o->child);
	} else {
		/* It is not wanted: its calls are those of the one around it. */
		active = o->child;
	}
	outer = find_open(around, at->pid);
	if (outer) {
		outer->child += active - o->charged;
		outer->direct += row ? 1 : o->direct;
		outer->inner += o->inner + !!row;
	}
	free_open(at->address, at->pid, o);
	return around;
}

struct popping {
	struct call_at at; /* the innermost open call */
	u64 until;	   /* address of a call that stays; 0: none does */
	u64 bound;	   /* native calls below are left */
	u64 now;
	u32 walker; /* whose calls are left, too */
	u32 all;    /* everybody's are */
};

static __always_inline bool is_wanted(struct call_open *o)
{
	return bpf_map_lookup_elem(&call_rows, &o->id);
}

static __always_inline void count_unseen(struct call_open *o)
{
	struct call_row *row = bpf_map_lookup_elem(&call_rows, &o->id);

	if (row)
		add(&row->unseen, 1);
}

/* Closes the innermost call, if it has been left.  1: it has not been. */
static long pop(u32 i, struct popping *p)
{
	struct call_open *o = find_open(p->at.address, p->at.pid);

	if (!o || p->at.address == p->until)
		return 1;
	if (p->all) {
		count_unseen(o);
	} else if (o->walker == CALL_NATIVE ? p->at.address >= p->bound
					    : o->walker != p->walker) {
		return 1;
	}
	if (config.call_log && p->now - o->start >= config.call_min)
		tell_jump(o, p->now);
	p->at.address = close_call(&p->at, o, CALL_JUMP, p->now);
	return 0;
}

/* Closes the calls of a thread that have been left, from the innermost one on. */
static __always_inline void pop_all(struct popping *p, u64 pid, u64 *top)
{
	p->at = (struct call_at){ *top, pid };
	bpf_loop(MAX_POPS, pop, p, 0);
	*top = p->at.address;
}

/* Calls inward of the one at e->at were left, and no event said so. */
static __noinline int leave_unseen(struct call_event *e, u64 *top, u64 now)
{
	struct popping p = { .now = now, .all = 1 };

	if (!e || !top)
		return 0;
	p.until = e->at.address;
	pop_all(&p, e->at.pid, top);
	return 0;
}

static __always_inline u32 how_left(struct call_event *e, struct call_place *p)
{
	switch (p->walker) {
#define WALKER(walker_id, name, title, traits) \
	case WALKER_##walker_id:               \
		return (traits)&WALKER_CALLS ? name##_left(e, p) : 0;
#include "walkers/walkers.def"
	default:
		return p->kind == CALL_NATIVE_TAIL ? CALL_TAIL : CALL_RETURN;
	}
}

static __noinline int leave(struct call_event *e, struct call_place *p)
{
	u64 *top, now, around;
	struct call_open *o;
	u32 left;

	if (!e || !p)
		return 0;
	o = find_open(e->at.address, e->at.pid);
	/* Of another native function: that one was left unseen, and this one's begin was not
	 * seen. */
	if (!o || (p->walker == CALL_NATIVE &&
		   o->function != (u32)(p->bias + p->address[0])))
		return 0;
	now = bpf_ktime_get_ns();
	top = thread_top();
	if (top && *top != e->at.address && o->tid == thread_id())
		leave_unseen(e, top, now);
	left = how_left(e, p);
	if (config.call_log && now - o->start >= config.call_min)
		tell(e, o, left, now);
	around = close_call(&e->at, o, left, now);
	if (top && *top == e->at.address)
		*top = around;
	return 0;
}

/* Frees the innermost call of a thread that ends. */
static long end(u32 i, struct call_at *at)
{
	struct call_open *o = find_open(at->address, at->pid);
	struct call_row *row =
		o ? bpf_map_lookup_elem(&call_rows, &o->id) : NULL;
	u64 around;

	if (!o)
		return 1;
	if (row)
		add(&row->ended, 1);
	around = o->outer;
	free_open(at->address, at->pid, o);
	at->address = around;
	return 0;
}

struct outward {
	struct call_at at;
	u32 next, steps;
};

/* One step along a walker's chain. */
static long find_call(u32 i, struct outward *f)
{
	if (!f->at.address || find_open(f->at.address, f->at.pid))
		return 1;
	f->at.address = call_word(f->at.address + f->next);
	return 0;
}

static __noinline int jump(struct call_event *e)
{
	struct outward f = { 0 };
	struct popping p = { 0 };
	u64 *top = thread_top();

	if (!e || !top || !*top)
		return 0;
	f.at = e->at;
	f.next = e->next;
	p.bound = e->bound;
	p.walker = e->function.walker;
	if (e->at.address)
		bpf_loop(MAX_CONTEXTS, find_call, &f, 0);
	p.now = bpf_ktime_get_ns();
	p.until = f.at.address;
	pop_all(&p, e->at.pid, top);
	return 0;
}

#endif
