/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Shadow stacks in the kernel: what interpreters tell through include/jpbpf-interp.h.
 *
 * How such an interpreter keeps its stack.  Each thread has a variable jpi_thread, which
 * points to the stack at hand: a head, and an array of frames, the outermost first.  The
 * descriptor (struct jpi_process) says where the variable is, as a distance from the thread
 * pointer, and where the members of each struct are.  It is read in every sample, so an
 * interpreter that comes, goes or shuts down needs no word with user space.
 *
 * Where a frame belongs.  Its key is the stack pointer of the C function that entered it:
 *
 *     native frame i owns the frames with CFA(i-1) <= key < CFA(i)
 *
 * Several with one key keep the order of the array.  Keys never fall on the way outward.
 *
 * Stacks around each other.  A coroutine's stack knows the one that resumed it (outer).  If it
 * has no C stack of its own, the frames of outer lie further out on the same C stack.  If it
 * has one, the native walk ends at that one's root, and no native frame of outer is known:
 * outer's frames follow there.
 *
 * What can race.  The sample interrupts the very thread that owns the stack.  A frame whose
 * method is NULL is being entered or left, and is passed over; its key may be an old one.
 * Between the switch of stacks and that of C stacks, the thread is still on the C stack from
 * which it switches, and that one's frames count.  A frame below the stack pointer
 * has been jumped over, and is dropped.
 *
 * Several copies of the library in one process have a stack each.  Their keys put them in
 * order.
 *
 * All of it can be lies.  Numbers are bounded, addresses are only read from, keys must not
 * fall, and stacks around each other are counted.
 */
#include "arch/registers.bpf.h"
#include "bpf/budget.bpf.h"
#include "walkers/shadow/kernel/shadow.bpf.h"

#define MAGIC 0x00492d465042504aull /* "JPBPF-I" as a word */
#define MAJOR 1

struct map_shadow_processes shadow_processes SEC(".maps");
struct map_shadow_counts shadow_counts SEC(".maps");

/* The chain whose key is the lowest is the next. */
static __always_inline void wait(struct walk *w, struct shadow_walk *t)
{
	u64 lowest = WAKE_NEVER;

	for (u32 i = 0; i < SHADOW_COPIES; i++) {
		if (i >= t->copies || t->chain[i].key >= lowest)
			continue;
		lowest = t->chain[i].key;
		t->at = i;
	}
	walk_wait(w, WALKER_SHADOW, lowest);
}

/* Take what the counter at the address has grown by.  Each thread has a counter of its own, so
 * the address tells threads apart. */
static __always_inline void take_count(struct walk *w, u64 address)
{
	u64 count, key = address ^ (u64)w->pid << 32, *last;

	if (walk_word(w, &count, address) || !count)
		return;
	last = bpf_map_lookup_elem(&shadow_counts, &key);
	if (!last) {
		bpf_map_update_elem(&shadow_counts, &key, &count, BPF_ANY);
		return;
	}
	/* A smaller one began anew. */
	w->sample.count += count < *last ? count : count - *last;
	*last = count;
}

__noinline int shadow_begin_copy(struct walk *w, u64 descriptor)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	u64 stack;

	if (!t)
		return 0;
	c = shadow_chain_of(t);
	c->key = WAKE_NEVER;
	c->last_key = 0;
	c->n = c->outer = 0;
	if (walk_words(w, (u64 *)&c->l, SHADOW_LAYOUT_WORDS, descriptor)) {
		shadow_give_up(w, c, SHADOW_READ);
		return 0;
	}
	if (c->l.magic != MAGIC)
		return 0;
	if (c->l.major != MAJOR) {
		shadow_give_up(w, c, SHADOW_VERSION);
		return 0;
	}
	if (walk_word(w, &stack, t->thread + c->l.thread + c->l.thread_stack)) {
		shadow_give_up(w, c, SHADOW_READ);
		return 0;
	}
	/* Copies whose variables the dynamic linker has made one. */
	for (u32 k = 0; k < SHADOW_COPIES; k++)
		if (k < t->at && t->chain[k].stack == stack)
			return 0;
	if (!w->thread)
		take_count(w, t->thread + c->l.thread + c->l.thread_count);
	if (shadow_find_stack(w, stack))
		return 0;
	return shadow_look(w);
}

int shadow_begin(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_process *p;
	u32 pid;

	if (!t)
		return 0;
	pid = w->pid;
	t->copies = t->at = t->dropped = t->stacks = 0;
	t->number++;
	t->sp = w->reg[REG_STACK];
	t->thread = w->thread ?: arch_thread(bpf_get_current_task_btf());
	p = bpf_map_lookup_elem(&shadow_processes, &pid);
	if (!p) {
		walk_missing(w, SHADOW_NOT_READY);
		return 0;
	}
	for (u32 i = 0; i < SHADOW_COPIES; i++) {
		if (!p->descriptor[i])
			break;
		t->copies = i + 1;
		t->at = i;
		shadow_chain_of(t)->stack = 0;
		shadow_begin_copy(w, p->descriptor[i]);
	}
	wait(w, t);
	return 0;
}

int shadow_step(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	bool taken;

	if (!t)
		return 0;
	c = shadow_chain_of(t);
	taken = c->n;
	if (c->key >= w->cfa) {
		walk_next(w);
		return 0;
	}
	if (!c->n) {
		shadow_put_coroutine(w);
		shadow_take_stack(w, c->outer);
	} else if (c->method && c->key < t->sp) {
		t->dropped++;
	} else if (c->method) {
		if (w->keyed)
			walk_push(w, frame_value58(FRAME_KEY, c->key));
		shadow_put_frame(w);
	}
	if (w->mode == MODE_DONE)
		return 0;
	if (taken)
		c->n--;
	shadow_look(w);
	wait(w, t);
	walk_next(w);
	return 0;
}

struct outward {
	struct walk *w;
};

/* A frame, or a stack, of those around a coroutine with a C stack of its own. */
static long put_outer(u32 i, struct outward *o)
{
	struct shadow_chain *c = shadow_chain_of(shadow_state(o->w));

	if (budget_is_over(o->w, i))
		return 1;
	if (!c->n) {
		if (!c->outer)
			return 1;
		shadow_put_coroutine(o->w);
		return shadow_take_stack(o->w, c->outer) != 0;
	}
	c->last_key = 0;
	shadow_look(o->w);
	if (c->n && c->method)
		shadow_put_frame(o->w);
	if (c->n)
		c->n--;
	return o->w->status != WALK_ROOT;
}

int shadow_end(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct outward loop = { .w = w };

	if (!t || w->status != WALK_ROOT)
		return 0;
	for (u32 i = 0; i < SHADOW_COPIES && i < t->copies; i++) {
		struct shadow_chain *c;

		t->at = i;
		c = shadow_chain_of(t);
		if (c->key != WAKE_NEVER)
			walk_missing(w, SHADOW_UNPLACED);
		else if (c->outer && c->low)
			bpf_loop(SHADOW_FRAMES, put_outer, &loop, 0);
	}
	if (t->dropped)
		walk_count(w, SHADOW_JUMP);
	return 0;
}

int shadow_fork(u32 parent, u32 child)
{
	struct shadow_process *p =
		bpf_map_lookup_elem(&shadow_processes, &parent);

	if (p && bpf_map_update_elem(&shadow_processes, &child, p, BPF_ANY))
		return -1;
	return 0;
}

int shadow_exit(u32 pid)
{
	bpf_map_delete_elem(&shadow_processes, &pid);
	return 0;
}
