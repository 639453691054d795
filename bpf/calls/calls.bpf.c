/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Account of the calls of chosen functions.
 *
 * on_call: uprobes where a language begins and ends calls, or a native function does.  The
 * walker says what happens there (call.bpf.h).  A call of a function that is not wanted
 * costs one look-up.
 *
 * on_watch: watchpoints on a word of a chosen function, which each of its calls writes
 * (watch.bpf.h).
 *
 * A call that is open has an entry in call_buckets, by an address that is its own while it
 * is open.  The open calls of one thread form a chain, of all languages, in their true order:
 * call_threads has the innermost.  A call that is left adds its time to its function's row,
 * and to what the call around it does not count as its own time.
 *
 * The calls of a coroutine that waits are taken out of the thread's chain, and put onto the
 * chain of the thread that resumes it.  The time in between belongs to none of them.
 *
 * These programs can be preempted, and several threads can be in one function, so sums are
 * added atomically.  The chain of a thread is changed by this thread alone.
 */
#include "bpf/calls/coroutine.bpf.h"
#include "bpf/calls/enter.bpf.h"
#include "bpf/calls/leave.bpf.h"
#include "bpf/calls/watch.bpf.h"

/* Mostly there is no end, and no need to look at the time. */
static __always_inline bool is_off(void)
{
	return calls_until != ~0ull && bpf_ktime_get_ns() >= calls_until;
}

/* Whether as many calls are followed in this second as may be. */
static __always_inline bool is_limited(const struct call_function *f)
{
	u64 second = bpf_ktime_get_ns() / 1000000000;

	if (!f || f->state != CALL_WANTED)
		return false;
	if (rate_second != second) {
		rate_second = second;
		rate_calls = 0;
	}
	if (__sync_fetch_and_add(&rate_calls, 1) < config.call_rate)
		return false;
	COUNT(limited);
	return true;
}

/* 1: the call is open. */
static __noinline int enter(struct call_event *e, u32 id)
{
	if (!e)
		return 0;
	if (!id) {
		COUNT(functions);
		return 0;
	}
	if (e->watched)
		leave_unwanted(e);
	if (e->function.walker == CALL_NATIVE ||
	    find_open(e->at.address, e->at.pid))
		leave_stale(e);
	if (push(e, id)) {
		COUNT(open);
		return 0;
	}
	return 1;
}

/* The function's stack is taken, if that is wanted. */
static __always_inline void take_stack(struct pt_regs *ctx, u32 id)
{
	struct call_thread *t = config.enters ? thread_known() : NULL;

	if (!t)
		return;
	t->entered = id;
	bpf_tail_call(ctx, &call_next, 0);
}

int calls_ended(u32 pid)
{
	struct call_thread *t = thread_known();
	struct call_at at = { .pid = pid };

	if (!t || !calls_until)
		return 0;
	at.address = t->top;
	bpf_loop(MAX_POPS, end, &at, 0);
	t->top = 0;
	return 0;
}

int calls_entered(void)
{
	struct call_thread *t = thread_known();

	return t ? t->entered : 0;
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
		return CALL_LEFT;
	case CALL_NATIVE_TAIL:
		return arch_jumps(e->flags, p->offset[1]) ? CALL_LEFT
							  : CALL_NOTHING;
	case CALL_NATIVE_CATCH:
		e->bound = e->at.address;
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

/* User space runs it.  The function may have been freed, and another one have its key: that
 * one has another number, and waits for its own answer. */
SEC("syscall")
int on_answer(struct call_answer *a)
{
	struct call_key key = a->key;
	u64 state = a->function.state, asked = a->function.id;
	u64 *f = bpf_map_lookup_elem(&call_functions, &key);

	if (f)
		__sync_val_compare_and_swap(f, asked | (u64)CALL_ASKED << 32,
					    asked | state << 32);
	return 0;
}
_Static_assert(sizeof(struct call_function) == 8, "on_answer() takes a word");

/* The id of the function whose call is open now; 0: there is none. */
static __always_inline u32 entered(struct call_event *e, struct call_place *p)
{
	struct call_function *f =
		bpf_map_lookup_elem(&call_functions, &e->function);
	u32 id;

	if (config.call_watch && !e->watched)
		__sync_fetch_and_add(&p->hits, 1);
	if ((f && f->state == CALL_UNWANTED) || is_off() ||
	    (config.call_rate && is_limited(f)))
		return 0;
	if (e->at_word)
		e->at.address = call_word(e->at_word);
	if (config.call_watch && f && is_told(e, f->id))
		return 0;
	id = f ? f->id : make_known(e);
	return enter(e, id) ? id : 0;
}

/* What is to be done at the place.  As entered(). */
static __always_inline u32 take(struct call_event *e, struct call_place *p)
{
	if (!calls_until)
		return 0;
	e->at.pid = e->function.pid;
	e->function.walker = p->walker;
	switch (what_happens(e, p)) {
	case CALL_ENTERED:
		return entered(e, p);
	case CALL_LEFT:
		leave(e, p);
		break;
	case CALL_JUMPED:
		jump(e);
		break;
	case CALL_RESUMED:
		resume(e);
		break;
	case CALL_SUSPENDED:
		suspend(e);
		break;
	case CALL_FREED:
		freed(e);
		break;
	case CALL_MADE:
		made(e, p);
		break;
	}
	return 0;
}

static __always_inline u32 own_pid(void)
{
	return (pids_namespace ? pids_current() : bpf_get_current_pid_tgid()) >>
	       32;
}

SEC("uprobe")
int on_call(struct pt_regs *ctx)
{
	struct call_event e = { .index = bpf_get_attach_cookie(ctx) };
	struct call_place *p = bpf_map_lookup_elem(&call_places, &e.index);
	u32 id;

	if (!p)
		return 0;
	e.function.pid = own_pid();
	e.first = arch_register(ctx, p->reg);
	e.second = arch_register(ctx, REG_ARG1);
	e.third = arch_register(ctx, REG_ARG2);
	e.fourth = arch_register(ctx, REG_ARG3);
	e.sp = arch_register(ctx, REG_STACK);
	e.flags = ARCH_FLAGS(ctx);
	id = take(&e, p);
	if (id)
		take_stack(ctx, id);
	return 0;
}

SEC("perf_event")
int on_watch(struct bpf_perf_event_data *ctx)
{
	struct pt_regs *r =
		(struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
	struct call_event e = { .watched = 1 };
	struct call_place *p;
	u32 *index;

	__sync_fetch_and_add(&call_hits, 1);
	e.function.pid = own_pid();
	e.at = (struct call_at){ r->ip, e.function.pid };
	index = bpf_map_lookup_elem(&call_watches, &e.at);
	if (!index)
		return 0;
	e.index = *index;
	p = bpf_map_lookup_elem(&call_places, &e.index);
	if (!p)
		return 0;
	e.first = arch_register(r, p->reg);
	e.third = arch_register(r, p->third);
	take(&e, p);
	return 0;
}
