/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The arguments that are being evaluated (--promises), in their true place.
 *
 * An argument is a promise, which is evaluated where its value is needed first.  R keeps a
 * list of the promises under way, from R_PendingPromises outward, so that a jump can reset
 * them (RPRSTACK: the promise, the next cell; src/include/Defn.h, forcePromise() in
 * src/main/eval.c, R-3-4-0 to R-4-6-1).  A cell of the list is a local variable of
 * forcePromise(), so its address is its place on the C stack, as with a context.  From 4.4
 * on the bytecode engine evaluates promises itself.  The cell is then the last part of an
 * R_bcFrame on the node stack.  The R_bcFrame also has the former value of R_BCpc, which is
 * the address of a local variable of that engine; this address is the cell's place.  A
 * cell and a context on the node stack can have the same place.  Their order is that of
 * their addresses, because the node stack grows upward.
 *
 * A promise does not know which argument it is.  But the code that evaluates it has looked
 * a variable up.  So the environment of the frame around, or that of the promise around,
 * mostly binds a symbol to this very promise.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_CONTEXTS 3u
#define NEXT	     8u /* in an RPRSTACK */

/* The symbol that the environment, which is not hashed, binds to promise; else 0. */
static __always_inline u64 variable(struct walk *w, struct r_walk *r, u64 env,
				    u64 promise)
{
	return r_find(w, r_cells(w, r, env), promise, R_BY_VALUE) ? r->tag : 0;
}

/* The environment of the function that is next outward; 0: none. */
static __always_inline u64 env_around(struct walk *w, struct r_walk *r)
{
	u64 context = r->context, flags = 0, env = 0;

	for (u32 i = 0; i < MAX_CONTEXTS; i++) {
		if (!context || context == r->p.toplevel ||
		    r_word(w, r, &flags, context + (u32)r->p.layout.flags))
			return 0;
		if (flags & R_CTXT_FUNCTION)
			return r_word(w, r, &env,
				      context + (u32)r->p.layout.cloenv)
				       ? 0
				       : env;
		if (r_word(w, r, &context, context + (u32)r->p.layout.next))
			return 0;
	}
	return 0;
}

/* Goes on to the promise of the next cell. */
static __always_inline void go_outward(struct walk *w, struct r_walk *r)
{
	struct r_pending *p = &r->pending;
	u64 place = p->key;
	bool node;

	p->key = WAKE_NEVER;
	if (r_word(w, r, &p->at, p->at + NEXT)) {
		walk_missing(w, R_NO_PROMISE);
		return;
	}
	if (!p->at)
		return;
	node = p->at >= r->node_low && p->at < r->node_high;
	p->key = p->at;
	/* Going outward, places rise: there can be no cycle. */
	if ((node && (!r->p.layout.promise_pc ||
		      r_word(w, r, &p->key, p->at - r->p.layout.promise_pc))) ||
	    p->key < place) {
		walk_missing(w, R_NO_PROMISE);
		p->key = WAKE_NEVER;
	}
}

static __always_inline void push(struct walk *w, struct r_walk *r, u64 symbol)
{
	u64 name = symbol ? r_symbol_text(w, symbol) : 0;

	if (r->failed)
		walk_count(w, R_NAME);
	w->walker_frames++;
	if (name)
		walk_frame(w, WALKER_R, R_PROMISE, 0, name);
	else
		walk_frame(w, WALKER_R, R_PROMISE, 0);
}

int r_promise(struct walk *w, u32 begins)
{
	u64 promise = 0, outer = 0, env = 0, place;
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	r->failed = 0;
	if (begins) {
		/* The variable is like the end of a cell inward of all. */
		r->pending.at = r->p.pending - NEXT;
		r->pending.key = 0;
		go_outward(w, r);
		return 0;
	}
	place = r->pending.key;
	r_word(w, r, &promise, r->pending.at);
	go_outward(w, r);
	if (place < r->sp)
		return 0;
	if (r_promise_is_next(r)) {
		if (!r_word(w, r, &outer, r->pending.at) && !r_load(w, outer))
			env = r->scratch.u[2];
	} else {
		env = env_around(w, r);
	}
	push(w, r, env ? variable(w, r, env, promise) : 0);
	return 0;
}
