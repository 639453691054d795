/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One stack of a thread: which one, its head, and its frames from the innermost on. */
#include "walkers/shadow/kernel/shadow.bpf.h"

#define MOST_OUTER  64u
#define FRAME_BYTES 32u

/* Both words are loaded from one page, if they lie where they do today. */
static __always_inline int read_frame(struct walk *w, struct shadow_chain *c,
				      u64 *key)
{
	u64 frame = shadow_frame_of(c),
	    at = direct_at(&w->direct, frame, FRAME_BYTES);
	u32 method = c->l.frame_method & -8u, place = c->l.frame_key & -8u;

	if (!at || method >= FRAME_BYTES || place >= FRAME_BYTES)
		return walk_word(w, &c->method, frame + c->l.frame_method) ||
		       walk_word(w, key, frame + c->l.frame_key);
	c->method = direct_load(at + method);
	*key = direct_load(at + place);
	return 0;
}

/* Look at the innermost frame that is left. */
__noinline int shadow_look(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	u64 key;

	if (!t)
		return 0;
	c = shadow_chain_of(t);
	c->key = WAKE_NEVER;
	if (!c->n) {
		/* The stack ends where its last frame is. */
		if (c->outer && !c->low)
			c->key = c->last_key;
		return 0;
	}
	if (read_frame(w, c, &key)) {
		shadow_give_up(w, c, SHADOW_READ);
		return 0;
	}
	if (c->n <= c->rebased)
		key = c->rebase_key;
	/* What is passed over is wherever the walk is. */
	if (!c->method)
		key = c->last_key;
	if (key < c->last_key) {
		shadow_give_up(w, c, SHADOW_ORDER);
		return 0;
	}
	c->last_key = c->key = key;
	return 0;
}

/* Take up a stack.  0, or -1 after it has been given up. */
__noinline int shadow_take_stack(struct walk *w, u64 stack)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	u64 depth, room;

	if (!t)
		return -1;
	c = shadow_chain_of(t);
	if (t->stacks++ > MOST_OUTER) {
		shadow_give_up(w, c, SHADOW_LIMIT);
		return -1;
	}
	c->stack = stack;
	if (walk_word(w, &depth, stack + c->l.stack_depth) ||
	    walk_word(w, &room, stack + c->l.stack_room) ||
	    walk_word(w, &c->outer, stack + c->l.stack_outer) ||
	    walk_word(w, &c->low, stack + c->l.stack_low) ||
	    walk_word(w, &c->high, stack + c->l.stack_high) ||
	    walk_word(w, &c->rebased, stack + c->l.stack_rebased) ||
	    walk_word(w, &c->rebase_key, stack + c->l.stack_rebase_key)) {
		shadow_give_up(w, c, SHADOW_READ);
		return -1;
	}
	c->n = depth < room ? depth : room;
	if (c->n > SHADOW_FRAMES)
		c->n = SHADOW_FRAMES;
	if (depth > c->n)
		walk_missing(w, SHADOW_ROOM);
	return 0;
}

/* Whether the thread still runs on the C stack from which it switches to this stack.  An older
 * library does not tell that one's bounds.  Then two small numbers are read, and no stack
 * pointer lies between them. */
static __always_inline bool is_on_former(struct walk *w, struct shadow_walk *t,
					 struct shadow_chain *c)
{
	u64 low, high, at = c->stack + c->l.stack_from_low;

	return !walk_word(w, &low, at) && !walk_word(w, &high, at + 8) &&
	       low <= t->sp && t->sp < high;
}

/*
 * Take up the stack of the C stack that the thread is on.  That is the variable's, but for the
 * moment between the switch of the one and of the other: then it is the one from which the
 * thread switches.
 */
__noinline int shadow_find_stack(struct walk *w, u64 stack)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	u64 from, outer;

	if (!t)
		return -1;
	c = shadow_chain_of(t);
	if (shadow_take_stack(w, stack))
		return -1;
	if (t->sp - c->low < c->high - c->low)
		return 0;
	outer = c->outer;
	if (is_on_former(w, t, c) &&
	    !walk_word(w, &from, stack + c->l.stack_from)) {
		walk_count(w, SHADOW_SWITCHES);
		if (shadow_take_stack(w, from))
			return -1;
		/* The thread yields, so the stack that it yields to stands around this
		 * one; else it resumes a coroutine, whose frames do not run yet. */
		if (outer != from)
			c->outer = stack;
	} else if (c->low) {
		walk_count(w, SHADOW_SWITCHES);
		c->n = 0;
		return outer ? shadow_take_stack(w, outer) : 0;
	}
	return 0;
}
