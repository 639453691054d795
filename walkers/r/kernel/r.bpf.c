/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * GNU R in the kernel: which of R's contexts belong under which native frame.
 *
 * How R keeps its stack.  Every call of a closure, every eval(), every place
 * that can be jumped to has a context (RCNTXT, src/include/Defn.h).  Contexts
 * form a chain from R_GlobalContext outward through nextcontext; the last is
 * R_Toplevel, a static variable of libR.  A function call is a context whose
 * callflag has bit 4 (CTXT_FUNCTION).
 *
 * Where contexts live, and so where they belong.  Up to R 4.3 every function
 * context is a local variable of a C function (R_execClosure, do_eval), so its
 * address lies inside that function's native frame.  From 4.4 on a closure that
 * is called from bytecode gets its context on R's node stack (heap) and no native
 * frame; its bcpc then points to a local of the bcEval_loop that runs the call
 * (src/main/eval.c, R-4-4-1).  One rule covers all:
 *
 *     key = context is on the node stack ? its bcpc : its address
 *     native frame i owns the contexts with CFA(i-1) <= key < CFA(i)
 *
 * The unwinder calls r_step() at the frame whose CFA lies above the key.  Several
 * contexts with one key keep the order of the chain.
 *
 * What is checked on every sample: keys never fall, node-stack contexts are
 * strictly descending among themselves, the chain ends in R_Toplevel, and when
 * the native stack reached its root no context is left over.  A break of any of
 * these is counted and ends the R part of the walk; a cycle cannot satisfy them.
 *
 * What can race.  The sample interrupts the very thread that owns the chain, so
 * nothing moves while it is read.  begincontext() fills a context before it
 * publishes it; endcontext() unlinks before the memory is reused; a longjmp
 * first sets R_GlobalContext and then cuts the C stack, so for a few instructions
 * deeper native frames stand under the target function: that is what they are.
 * If native code unwound over R (C++ without R_ContinueUnwind), dead contexts lie
 * below the stack pointer: they are dropped and counted.
 *
 * A thread that does not run R sees R's chain too; none of its frames can own a
 * key, so nothing is placed, which is counted as R_OTHER_THREAD, not as an error.
 *
 * Not recoverable here: calls of builtins and specials (no context); user space
 * names their C functions by R's function table instead.
 */
#include "walkers/r/kernel/r_process.bpf.h"

struct map_r_symbols r_symbols SEC(".maps");
struct map_r_closures r_closures SEC(".maps");

struct map_r_processes r_processes SEC(".maps");

static __always_inline void finish(struct walk *w, struct r_walk *r)
{
	r->key = WAKE_NEVER;
	r->pending.key = WAKE_NEVER;
	walk_wait(w, WALKER_R, WAKE_NEVER);
}

/* Wait for the frame of the current context, or of a promise inward of it. */
static __always_inline void wait(struct walk *w, const struct r_walk *r)
{
	bool promise = walk_wants(R_PROMISES) && r_promise_is_next(r);

	walk_wait(w, WALKER_R, promise ? r->pending.key : r->key);
}

static __always_inline void give_up(struct walk *w, struct r_walk *r, u32 why)
{
	walk_missing(w, why);
	finish(w, r);
}

/*
 * Make the context at address the current one: only its key is needed until the
 * native walk gets there, and for one on the C stack that is the address.
 */
static __always_inline void set_context(struct walk *w, struct r_walk *r,
					u64 address)
{
	bool node = address >= r->node_low && address < r->node_high;

	if (address == r->p.toplevel)
		return finish(w, r);
	if (!address || ++r->contexts > R_MAX_CONTEXTS)
		return give_up(w, r, address ? R_LIMIT : R_READ);
	r->context = address;
	r->key = address;
	if (node && walk_words(w, &r->key, 1, address + (u32)r->p.layout.bcpc))
		return give_up(w, r, R_READ);
	/* Only contexts on the node stack can share a key. */
	if (r->key < r->last_key + !node || (node && address >= r->last_node))
		return give_up(w, r, R_ORDER);
	r->last_key = r->key;
	if (node)
		r->last_node = address;
	wait(w, r);
}

/*
 * Has the current context's fields at hand.  Where memory must be read through the helper,
 * a context on the C stack comes with the unwinder's block: it lies just below what is
 * needed next.
 */
static __always_inline int load(struct walk *w, struct r_walk *r)
{
	u64 end = r->context + R_CONTEXT_READ;

	r->in_block = 0;
	r->view = direct_at(&w->direct, r->context, R_CONTEXT_READ);
	if (r->view)
		return 0;
	if (r->key == r->context && !block_has(w, r->context, end)) {
		w->block_size = sizeof(w->block);
		block_read(w, r->context);
	}
	r->in_block = block_has(w, r->context, end);
	return r->in_block ? 0
			   : walk_read(w, r->word, R_CONTEXT_READ, r->context);
}

/* Adds the cells earned since the last sample to the account of searches. */
static __always_inline void earn_cells(struct walk *w, struct r_search *s)
{
	u64 earned = (w->sample.time - s->refilled) / R_CELL_NS;

	if (!s->refilled || earned > R_MAX_CELLS - s->left)
		s->left = R_MAX_CELLS;
	else
		s->left += earned;
	s->refilled = w->sample.time;
}

/* The main loop's frame is at hand.  It stays there until the process ends, so samples
 * that are walked late know it, too. */
static __always_inline void see_main(struct walk *w, struct r_walk *r)
{
	u32 pid = w->pid;
	struct r_process *p = bpf_map_lookup_elem(&r_processes, &pid);

	if (p && r->p.main_frame != w->cfa)
		p->main_frame = w->cfa;
	r_source_main(w);
}

/* A marked function's caller is here, or such a function is. */
static __always_inline void see_frame(struct walk *w, struct r_walk *r)
{
	if (r->marked < w->cfa) {
		r_call(w, 0);
		r->marked = WAKE_NEVER;
		wait(w, r);
	} else if (config.lines && w->pc > r->p.main_loop[0] &&
		   w->pc <= r->p.main_loop[1]) {
		if (w->located == LOCATED_MARKED && !r->dropped)
			see_main(w, r);
	} else if (w->located == LOCATED_MARKED && r->key >= w->cfa &&
		   !r->dropped) {
		r->marked = w->cfa;
		walk_wait(w, WALKER_R, w->cfa);
	}
}

/* What the next frame outward is evaluating: a call, of a function or of foreign
 * code. */
static __always_inline void keep_call(struct walk *w, struct r_walk *r,
				      u32 flags, bool is_frame)
{
	if (!is_frame && (flags & R_CTXT_FUNCTION || !(flags & R_CTXT_BUILTIN)))
		return;
	r->expr.call = r_field(w, r, r->p.layout.call);
	r->expr.inner = 1;
}

int r_begin(struct walk *w)
{
	struct r_walk *r = r_current(w);
	struct r_process *p;
	int err = 0;
	u64 first;
	u32 pid;

	if (!r)
		return 0;
	pid = w->pid;
	p = bpf_map_lookup_elem(&r_processes, &pid);
	r->contexts = 0;
	r->left = 0;
	r->marked = WAKE_NEVER;
	r->key = WAKE_NEVER;
	r->pending.key = WAKE_NEVER;
	if (!p) {
		/* Nothing to be looked for in a marked frame. */
		r->dropped = 1;
		walk_missing(w, R_NOT_READY);
		return 0;
	}
	r->p = *p;
	r->sp = w->reg[REG_STACK];
	r->last_key = 0;
	r->last_node = WAKE_NEVER;
	r->placed = 0;
	r->dropped = 0;
	r->caller = 0;
	r->search.state = R_SEARCH_NONE;
	earn_cells(w, &r->search);
	/* R 3.4 and 3.5 hide the variable, and keep no closure there. */
	r->node_high = 0;
	if (r->p.node_stack_end)
		err = walk_words(w, &r->node_high, 1, r->p.node_stack_end);
	r->node_low = r->node_high -
		      (u64)r->p.layout.node_stack * r->p.layout.bcstack_cell;
	if (err || walk_words(w, &first, 1, r->p.global_context)) {
		give_up(w, r, R_READ);
		return 0;
	}
	if (config.lines)
		r_line_leave(w, 0, 0);
	if (walk_wants(R_PROMISES))
		r_promise(w, 1);
	r->expr.inner = 0;
	set_context(w, r, first);
	return 0;
}

int r_step(struct walk *w)
{
	struct r_walk *r = r_current(w);
	u32 flags, passed;
	bool is_frame;
	u64 next;

	if (!r)
		return 0;
	if (r->search.state == R_SEARCH_ON)
		return r_binding_step(w);
	if (!w->keyed)
		see_frame(w, r);
	if (w->mode == MODE_DONE)
		return 0;
	if (walk_wants(R_PROMISES) && r->pending.key < w->cfa &&
	    r_promise_is_next(r)) {
		r_promise(w, 0);
		wait(w, r);
		return 0;
	}
	if (r->key < w->cfa && load(w, r))
		give_up(w, r, R_READ);
	if (r->key >= w->cfa) {
		walk_native(w);
		return 0;
	}
	if (w->keyed && r->search.state == R_SEARCH_NONE)
		walk_push(w, frame_value58(FRAME_KEY, r->key));
	next = r_field(w, r, r->p.layout.next);
	flags = r_field(w, r, r->p.layout.flags);
	passed = r->placed + r->dropped;
	if (r->key < r->sp)
		r->dropped++;
	else if (flags & R_CTXT_FUNCTION)
		r_frame(w);
	else if (flags & R_CTXT_BUILTIN)
		r_call(w, r_field(w, r, r->p.layout.call));
	if (w->mode == MODE_DONE || r->search.state == R_SEARCH_ON)
		return 0;
	is_frame = r->placed + r->dropped != passed;
	if (config.lines && !is_frame && flags & R_CTXT_FUNCTION)
		r_source_eval(w);
	r->left = r->context;
	if (walk_wants(R_EXPR))
		keep_call(w, r, flags, is_frame);
	if (config.lines)
		r_line_leave(w, r->context, is_frame);
	set_context(w, r, next);
	if (config.lines && w->keyed && next == r->p.toplevel &&
	    r->p.main_frame) {
		walk_push(w, frame_value58(FRAME_KEY, r->p.main_frame - 1));
		r_source_main(w);
	}
	walk_next(w);
	return 0;
}

int r_end(struct walk *w)
{
	struct r_walk *r = r_current(w);

	/* A walk that was cut says itself why contexts were not reached. */
	if (!r || !r->contexts || w->status != WALK_ROOT)
		return 0;
	if (!r->placed && (r->dropped || r->key != WAKE_NEVER))
		walk_count(w, R_OTHER_THREAD);
	else if (r->dropped)
		walk_count(w, R_JUMP);
	else if (r->key != WAKE_NEVER)
		walk_missing(w, R_UNPLACED);
	return 0;
}

int r_fork(u32 parent, u32 child)
{
	struct r_process *p = bpf_map_lookup_elem(&r_processes, &parent);

	/* Without its part the child would be one without R's frames. */
	if (p && bpf_map_update_elem(&r_processes, &child, p, BPF_ANY))
		return -1;
	return 0;
}

int r_exit(u32 pid)
{
	bpf_map_delete_elem(&r_processes, &pid);
	return 0;
}
