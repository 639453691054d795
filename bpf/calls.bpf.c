/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Account of the calls of chosen functions.
 *
 * on_call: uprobes where a language begins and ends calls, or a native function does.  The
 * walker says what happens there (call.bpf.h).  A call of a function that is not wanted
 * costs one look-up.
 *
 * A call that is open has an entry in call_open, by an address that is its own while it is
 * open.  The open calls of one thread form a chain, of all languages, in their true order:
 * call_threads has the innermost.  A call that is left adds its time to its function's row,
 * and to what the call around it does not count as its own time.
 *
 * The calls of a coroutine that waits are taken out of the thread's chain, and put onto the
 * chain of the thread that resumes it.  The time in between belongs to none of them.
 *
 * These programs can be preempted, and several threads can be in one function, so sums are
 * added atomically.  The chain of a thread is changed by this thread alone.
 */
#include "bpf/call.bpf.h"

#include "bpf/begin.bpf.h"
#include "bpf/pids.bpf.h"
#include "bpf/slot.bpf.h"

#define MAX_CONTEXTS 16384u /* of a chain behind a jump */
#define MAX_POPS     65536u
#define SWAP_TRIES   8

MAP(call_places, ARRAY, 0, 1, u32, struct call_place);
struct map_call_places call_places SEC(".maps");
MAP(call_functions, HASH, 0, 1, struct call_key, struct call_function);
struct map_call_functions call_functions SEC(".maps");
MAP(call_rows, HASH, BPF_F_NO_PREALLOC, 1, u32, struct call_row);
struct map_call_rows call_rows SEC(".maps");
MAP(call_open, HASH, 0, 1, struct call_at, struct call_open);
struct map_call_open call_open SEC(".maps");
/* Address of the innermost open call, by thread. */
MAP(call_threads, HASH, 0, 1, u32, u64);
struct map_call_threads call_threads SEC(".maps");
MAP(call_nodes, HASH, BPF_F_NO_PREALLOC, 1, struct call_step, struct call_node);
struct map_call_nodes call_nodes SEC(".maps");

struct coroutine {
	u64 top, bottom; /* addresses of its open calls; 0: there are none */
	u64 base;	 /* of the one around it; 0: there is none */
	u64 time;	 /* when it was suspended */
};
MAP(call_coroutines, HASH, BPF_F_NO_PREALLOC, 65536, struct call_at,
    struct coroutine);
struct map_call_coroutines call_coroutines SEC(".maps");

/* User space sets it: calls are entered. */
u32 calls_on = 1;
struct call_lost call_lost;
static u32 last_id, last_node;
/* What new rows and nodes begin as. */
static const struct call_row empty_row;

#define COUNT(what) __sync_fetch_and_add(&call_lost.what, 1)

static __always_inline u32 thread_id(void)
{
	return pids_namespace ? pids_current() : bpf_get_current_pid_tgid();
}

static __always_inline struct call_open *find_open(u64 address, u64 pid)
{
	struct call_at at = { address, pid };

	return address ? bpf_map_lookup_elem(&call_open, &at) : NULL;
}

/* ------------------------------------------------------------------ leaving */

static __always_inline void make_least(u64 *to, u64 ns)
{
	u64 was = *to;

	for (u32 i = 0; i < SWAP_TRIES && (!was || ns < was); i++) {
		u64 now = __sync_val_compare_and_swap(to, was, ns);

		if (now == was)
			return;
		was = now;
	}
}

static __always_inline void make_most(u64 *to, u64 ns)
{
	u64 was = *to;

	for (u32 i = 0; i < SWAP_TRIES && ns > was; i++) {
		u64 now = __sync_val_compare_and_swap(to, was, ns);

		if (now == was)
			return;
		was = now;
	}
}

static __always_inline u32 bucket_of(u64 ns)
{
	u32 log = 0;

	for (int k = 5; k >= 0; k--) {
		u32 by = ((1ull << (1 << k)) - 1 - ns) >> 63 << k;

		ns >>= by;
		log += by;
	}
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
	if (!o->nested)
		add(&row->total, active);
	add(&row->self, active - o->child);
	if (o->suspended)
		add(&row->suspended, o->suspended);
	make_least(&row->least, active);
	make_most(&row->most, active);
	add(&row->bucket[bucket_of(active)], 1);
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

/* The call at `at` is left, at the time `now`.  Returns the call around it. */
static __noinline u64 close_call(struct call_at *at, u32 left, u64 now)
{
	struct call_open *o = bpf_map_lookup_elem(&call_open, at), *outer;
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
	if (outer)
		outer->child += active - o->charged;
	bpf_map_delete_elem(&call_open, at);
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

/* Closes the innermost call, if it has been left.  1: it has not been. */
static long pop(u32 i, struct popping *p)
{
	struct call_open *o = bpf_map_lookup_elem(&call_open, &p->at);

	if (!o || p->at.address == p->until)
		return 1;
	if (p->all)
		COUNT(unseen);
	else if (o->walker == CALL_NATIVE ? p->at.address >= p->bound
					  : o->walker != p->walker)
		return 1;
	p->at.address = close_call(&p->at, CALL_JUMP, p->now);
	return 0;
}

/* Calls inward of the one at e->at were left, and no event said so. */
static __noinline int leave_unseen(struct call_event *e, u64 *top, u64 now)
{
	struct popping p = { .now = now, .all = 1 };

	if (!e || !top)
		return 0;
	p.at = (struct call_at){ *top, e->at.pid };
	p.until = e->at.address;
	bpf_loop(MAX_POPS, pop, &p, 0);
	*top = p.at.address;
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

static __always_inline void leave(struct call_event *e, struct call_place *p)
{
	struct call_open *o = bpf_map_lookup_elem(&call_open, &e->at);
	u32 tid;
	u64 *top, now, around;

	if (!o)
		return;
	now = bpf_ktime_get_ns();
	tid = o->tid;
	top = bpf_map_lookup_elem(&call_threads, &tid);
	if (top && *top != e->at.address && tid == thread_id())
		leave_unseen(e, top, now);
	around = close_call(&e->at, how_left(e, p), now);
	if (top && *top == e->at.address)
		*top = around;
}

struct outward {
	struct call_at at;
	u32 next, steps;
};

/* One step along a walker's chain. */
static long find_call(u32 i, struct outward *f)
{
	if (!f->at.address || bpf_map_lookup_elem(&call_open, &f->at))
		return 1;
	f->at.address = call_word(f->at.address + f->next);
	return 0;
}

static __noinline int jump(struct call_event *e)
{
	struct outward f = { 0 };
	struct popping p = { 0 };
	u32 tid = thread_id();
	u64 *top = bpf_map_lookup_elem(&call_threads, &tid);

	if (!e || !top || !*top)
		return 0;
	f.at = e->at;
	f.next = e->next;
	p.bound = e->bound;
	p.walker = e->function.walker;
	if (e->at.address)
		bpf_loop(MAX_CONTEXTS, find_call, &f, 0);
	p.now = bpf_ktime_get_ns();
	p.at = (struct call_at){ *top, e->at.pid };
	p.until = f.at.address;
	bpf_loop(MAX_POPS, pop, &p, 0);
	*top = p.at.address;
	return 0;
}

/* --------------------------------------------------------------- coroutines */

struct chain {
	struct call_at at;
	u64 end;       /* address behind which the chain ends */
	u64 suspended; /* what its calls have waited */
	u64 bottom;    /* address of the last one before the end */
};

static long along(u32 i, struct chain *c)
{
	struct call_open *o = bpf_map_lookup_elem(&call_open, &c->at);

	if (!o || c->at.address == c->end)
		return 1;
	o->suspended += c->suspended;
	c->bottom = c->at.address;
	c->at.address = o->outer;
	return 0;
}

static __always_inline u64 *thread_top(void)
{
	u32 tid = thread_id();
	u64 none = 0, *top = bpf_map_lookup_elem(&call_threads, &tid);

	if (top)
		return top;
	bpf_map_update_elem(&call_threads, &tid, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&call_threads, &tid);
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

/* ----------------------------------------------------------------- entering */

/* Tells user space of a function that is new. */
static __always_inline int ask(struct call_event *e, u32 id)
{
	u32 pid, words;
	struct call_place *p;
	struct process_entry *entry;
	struct walk *w;
	int err = -1;

	pid = e->function.pid;
	p = bpf_map_lookup_elem(&call_places, &e->index);
	entry = bpf_map_lookup_elem(&processes, &pid);
	w = p && entry ? slot_claim(LEVEL_TASK) : NULL;
	if (!w)
		return -1;
	w->pid = pid;
	w->process = *entry;
	w->words = 0;
	w->counted = 0;
	w->block_base = 0;
	w->block_len = 0;
	w->block_size = 512;
	w->mode = MODE_NATIVE;
	w->text_unsent = 0;
	w->sample.time = bpf_ktime_get_ns();
	direct_begin(&w->direct, 0);
	walk_push(w, e->function.word[0]);
	walk_push(w, e->function.word[1]);
	switch (p->walker) {
#define WALKER(walker_id, name, title, traits)        \
	case WALKER_##walker_id:                      \
		if ((traits)&WALKER_CALLS)            \
			err = name##_called(w, e, p); \
		break;
#include "walkers/walkers.def"
	case CALL_NATIVE:
		err = !walk_push(w, frame_native(p->file, p->address[0]));
	}
	words = w->words & (WALK_WORDS - 1);
	if (!err && !w->text_unsent) {
		w->sample.type = RECORD_CALL;
		w->sample.words = words;
		w->sample.kernel_words = 2;
		w->sample.pid = pid;
		w->sample.tid = thread_id();
		w->sample.source = p->walker;
		w->sample.value = id;
		err = bpf_ringbuf_output(&samples, &w->sample,
					 sizeof(w->sample) + words * 8,
					 BPF_RB_FORCE_WAKEUP);
	}
	slot_release(w);
	return err;
}

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
static __always_inline u32 node_of(u32 around, u32 id)
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

static __noinline int push(struct call_event *e, u32 id)
{
	struct call_open open = { .id = id, .tid = thread_id() }, *outer;
	struct searching s = { .id = id };
	u64 *top;

	if (!e)
		return 0;
	top = bpf_map_lookup_elem(&call_threads, &open.tid);
	open.walker = e->function.walker;
	open.outer = top ? *top : 0;
	open.seen = 1ull << (id & 63);
	outer = find_open(open.outer, e->at.pid);
	if (outer && outer->seen & open.seen) {
		s.address = open.outer;
		s.pid = e->at.pid;
		bpf_loop(MAX_POPS, search, &s, 0);
		open.nested = s.found;
	}
	if (outer) {
		open.seen |= outer->seen;
		open.around = outer->node;
	} else {
		open.outer = 0;
	}
	if (config.call_nodes)
		open.node = node_of(open.around, id);
	open.start = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&call_open, &e->at, &open, BPF_NOEXIST))
		COUNT(open);
	else if (top)
		*top = e->at.address;
	else if (bpf_map_update_elem(&call_threads, &open.tid, &e->at.address,
				     BPF_ANY))
		COUNT(open);
	return 0;
}

/* What stands where the new call does has been left. */
static __noinline int leave_stale(struct call_event *e)
{
	u32 tid = thread_id();
	struct popping p = { 0 };
	u64 *top = bpf_map_lookup_elem(&call_threads, &tid);

	if (!e || !top)
		return 0;
	p.at = (struct call_at){ *top, e->at.pid };
	p.now = bpf_ktime_get_ns();
	p.walker = CALL_NATIVE;
	p.bound = e->function.walker == CALL_NATIVE ? e->at.address + 1 : 0;
	bpf_loop(MAX_POPS, pop, &p, 0);
	*top = p.at.address;
	if (!bpf_map_lookup_elem(&call_open, &e->at))
		return 0;
	leave_unseen(e, top, p.now);
	*top = close_call(&e->at, CALL_JUMP, p.now);
	COUNT(unseen);
	return 0;
}

static __always_inline void enter(struct call_event *e)
{
	struct call_function *f =
		bpf_map_lookup_elem(&call_functions, &e->function);
	u32 id = f ? f->id : 0;

	if ((f && f->state == CALL_UNWANTED) || !calls_on)
		return;
	if (!f)
		id = make_known(e);
	if (!id) {
		COUNT(functions);
		return;
	}
	if (e->function.walker == CALL_NATIVE ||
	    bpf_map_lookup_elem(&call_open, &e->at))
		leave_stale(e);
	push(e, id);
}

/* A function at this address is another one from now on. */
static __always_inline void freed(struct call_event *e)
{
	bpf_map_delete_elem(&call_functions, &e->function);
}

/* Native functions: an open call has the address of its return address. */
static __always_inline u32 native_calls(struct call_event *e,
					const struct call_place *p)
{
	e->at.address = e->sp + p->offset[0];
	switch (p->kind) {
	case CALL_NATIVE_ENTER:
		e->function.word[0] = p->bias + p->address[0];
		return CALL_ENTERED;
	case CALL_NATIVE_LEAVE:
	case CALL_NATIVE_TAIL:
		return CALL_LEFT;
	case CALL_NATIVE_CATCH:
		e->bound = e->sp;
		break;
	case CALL_NATIVE_JUMP:
		e->bound = arch_jump_stack(e->first);
		break;
	}
	e->at.address = 0;
	return CALL_JUMPED;
}

static __always_inline u32 what_happens(struct call_event *e,
					struct call_place *p)
{
	switch (p->walker) {
#define WALKER(walker_id, name, title, traits) \
	case WALKER_##walker_id:               \
		return (traits)&WALKER_CALLS ? name##_calls(e, p) : 0;
#include "walkers/walkers.def"
	case CALL_NATIVE:
		return native_calls(e, p);
	default:
		return 0;
	}
}

SEC("uprobe")
int on_call(struct pt_regs *ctx)
{
	u32 index = bpf_get_attach_cookie(ctx);
	struct call_place *p = bpf_map_lookup_elem(&call_places, &index);
	struct call_event e = { .index = index };
	u32 pid;

	if (!p)
		return 0;
	pid = (pids_namespace ? pids_current() : bpf_get_current_pid_tgid()) >>
	      32;
	e.first = arch_register(ctx, p->reg);
	e.second = arch_register(ctx, REG_ARG1);
	e.third = arch_register(ctx, REG_ARG2);
	e.fourth = arch_register(ctx, REG_ARG3);
	e.sp = arch_register(ctx, REG_STACK);
	e.at.pid = e.function.pid = pid;
	e.function.walker = p->walker;
	switch (what_happens(&e, p)) {
	case CALL_ENTERED:
		enter(&e);
		break;
	case CALL_LEFT:
		leave(&e, p);
		break;
	case CALL_JUMPED:
		jump(&e);
		break;
	case CALL_RESUMED:
		resume(&e);
		break;
	case CALL_SUSPENDED:
		suspend(&e);
		break;
	case CALL_FREED:
		freed(&e);
		break;
	}
	return 0;
}
