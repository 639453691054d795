/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Calls of R's closures.
 *
 * Each has a context, which Rf_begincontext() begins and Rf_endcontext() ends, also where
 * the bytecode engine calls without a native frame (src/main/eval.c, R-4-4-1).  A jump to
 * a context leaves all calls inward of it.  It first stops at each context that has
 * something to be done on exit: that one is then ended and has a jumptarget
 * (src/main/context.c, R_jumpctxt() and Rf_endcontext(), R-4-2-2).  What is done on exit
 * runs in Rf_endcontext(), when the call counts as left.
 *
 * A function is known by its formals and its body, which all closures made by one
 * expression share, and by the name that it is called by.  Of compiled code the expression
 * counts, because R compiles functions under way.
 */
#include "bpf/calls/call.bpf.h"

#include "arch/registers.bpf.h"

#include "walkers/r/kernel/r_process.bpf.h"

#define JUMP_BUFFER	   16 /* src/include/Defn.h, cjmpbuf, R-4-0-4 to R-4-6-1 */
#define EXEC_NAME	   0x5f434558455f5f2eull /* ".__EXEC_", little-endian */
#define DISPATCH_VARIABLES 8
#define MIX		   0x9e3779b97f4a7c15ull

static __always_inline void read_object(struct r_sexp *s, u64 address)
{
	bpf_probe_read_user(s, sizeof(*s), (const void *)address);
}

static __always_inline u32 entered(struct call_event *e,
				   const struct call_place *p)
{
	struct r_sexp s = { 0 };
	u64 formals, body, name;

	if (!(e->second & R_CTXT_FUNCTION))
		return CALL_NOTHING;
	read_object(&s, call_word(e->sp + (u32)p->offset[R_CALL_FUNCTION]));
	if (r_type(&s) != R_CLOSXP)
		return CALL_NOTHING;
	formals = s.u[0];
	body = s.u[1];
	read_object(&s, body);
	if (r_type(&s) == R_BCODESXP)
		body = call_word(s.u[1] + (u32)p->offset[R_CALL_DATA]);
	name = call_word(e->third + R_UNION);
	if ((call_word(name) & R_TYPE_MASK) != R_SYMSXP)
		name = 0;
	e->function.word[0] = formals * MIX + body;
	e->function.word[1] = name;
	e->at.address = e->first;
	return CALL_ENTERED;
}

int r_calls(struct call_event *e, const struct call_place *p)
{
	if (!e || !p)
		return CALL_NOTHING;
	switch (p->kind) {
	case R_CALL_BEGIN:
		return entered(e, p);
	case R_CALL_END:
		e->at.address = e->first;
		return CALL_LEFT;
	case R_CALL_JUMP:
		/* nextcontext comes first. */
		e->at.address = e->first - JUMP_BUFFER;
		e->bound = arch_jump_stack(e->first);
		return CALL_JUMPED;
	}
	return CALL_NOTHING;
}

/* Whether the value of a call stands for another call, which takes its place: a list of
 * four that begins with a token (src/main/eval.c, R_exec_token, R-4-4-1). */
static __always_inline bool is_tail(u64 value, u32 data)
{
	struct r_sexp s = { 0 };

	read_object(&s, value);
	if (r_type(&s) != R_VECSXP || r_length(&s) != 4)
		return false;
	read_object(&s, call_word(value + data));
	if (r_type(&s) != R_LISTSXP)
		return false;
	read_object(&s, s.u[0]);
	return r_type(&s) == R_SYMSXP && call_word(s.u[0] + data) == EXEC_NAME;
}

int r_left(const struct call_event *e, const struct call_place *p)
{
	u64 context;
	u32 value;

	if (!e || !p)
		return CALL_RETURN;
	context = e->at.address;
	value = p->offset[R_CALL_VALUE];
	if (call_word(context + (u32)p->offset[R_CALL_TARGET]))
		return CALL_JUMP;
	return p->offset[R_CALL_TAILS] && is_tail(call_word(context + value),
						  (u32)p->offset[R_CALL_DATA])
		       ? CALL_TAIL
		       : CALL_RETURN;
}

struct seeking {
	struct walk *w;
};

static long seek(u32 i, struct seeking *s)
{
	struct r_walk *r = r_current(s->w);

	if (!r || r->search.state != R_SEARCH_ON)
		return 1;
	r_binding_step(s->w);
	return 0;
}

/* Has at hand what the context is about to be filled with. */
static __always_inline void set_fields(struct r_walk *r,
				       const struct call_event *e,
				       const struct call_place *p)
{
	const struct r_layout *l = &r->p.layout;

	r->view = 0;
	r->in_block = 0;
	/* Where the chain of those around begins. */
	r->context = r->p.global_context - l->next;
	r->word[l->callfun >> 3 & (R_CONTEXT_WORDS - 1)] =
		call_word(e->sp + (u32)p->offset[R_CALL_FUNCTION]);
	r->word[l->call >> 3 & (R_CONTEXT_WORDS - 1)] = e->third;
	r->word[l->cloenv >> 3 & (R_CONTEXT_WORDS - 1)] = e->fourth;
}

static __always_inline int set_process(struct walk *w, struct r_walk *r)
{
	u32 pid = w->pid;
	struct r_process *process = bpf_map_lookup_elem(&r_processes, &pid);

	if (!process)
		return -1;
	r->p = *process;
	r->failed = 0;
	return 0;
}

int r_called(struct walk *w, const struct call_event *e,
	     const struct call_place *p)
{
	struct r_walk *r = r_current(w);
	struct seeking seeking = { w };

	if (!r || !e || !p || set_process(w, r))
		return -1;
	r->caller = 0;
	/* Nothing in it is being evaluated, no line of it was reached. */
	r->expr.inner = 1;
	r->expr.call = 0;
	r->lines.srcref = r->p.nil;
	r->lines.unkept = 1;
	r->search.state = R_SEARCH_NONE;
	/* A function is named once, so each may have its search. */
	r->search.left = R_MAX_CELLS;
	r->search.refilled = w->sample.time;
	set_fields(r, e, p);
	r_frame(w);
	if (r->search.state == R_SEARCH_ON) {
		bpf_loop(WALK_MAX_STEPS, seek, &seeking, 0);
		r_frame(w);
	}
	return 0;
}

/* Writes the expression that was begun, as far as there is room. */
static __always_inline void put_expr(struct walk *w, struct r_walk *r, u32 sub)
{
	u32 n;

	for (u32 i = 0; i <= R_EXPR_TOKENS && !r_expr_step(w); i++)
		;
	n = r->expr.words;
	if (r->failed || !r->expr.tokens || n > R_EXPR_TOKENS ||
	    !walk_room(w, 1 + n))
		return;
	walk_push(w, frame_walker(WALKER_R, n, sub, r->expr.kinds));
	for (u32 i = 0; i < R_EXPR_TOKENS && i < n; i++)
		walk_push(w, r->expr.word[i & 15]);
}

/* Whether the symbol is what a method finds besides its arguments (src/main/objects.c,
 * dispatchMethod(), R-4-2-2): .Generic, .GenericCallEnv, .GenericDefEnv, .Class, .Method,
 * .Group.  The words are the beginnings of these names, little-endian. */
static __always_inline bool is_of_dispatch(u64 symbol, u32 data)
{
	u64 name = call_word(call_word(symbol + R_UNION) + data);

	return name == 0x636972656e65472eull || name == 0x646f6874654d2eull ||
	       name << 8 == 0x7373616c432eull << 8 ||
	       name << 8 == 0x70756f72472eull << 8;
}

/* The variables of the environment of a call that begins, from the first argument on. */
static __noinline u64 arguments(u64 environment, u32 data)
{
	struct r_sexp s = { 0 };
	/* Its first word. */
	u64 list = call_word(environment + R_UNION);

	for (u32 i = 0; i < DISPATCH_VARIABLES; i++) {
		read_object(&s, list);
		if (r_type(&s) != R_LISTSXP || !is_of_dispatch(s.u[2], data))
			break;
		list = s.u[1];
	}
	return list;
}

/* The call's text and the values of the arguments that are known when it begins; or the
 * call's value if that is an expression of few words. */
int r_detail(struct walk *w, const struct call_event *e,
	     const struct call_place *p, u32 begins)
{
	struct r_walk *r = r_current(w);
	u64 list;

	if (!r || !e || !p ||
	    !(begins ? config.call_args : config.call_value) ||
	    set_process(w, r))
		return 0;
	r->expr.inner = 1;
	r->expr.call = begins ? e->third
			      : call_word(e->at.address +
					  (u32)p->offset[R_CALL_VALUE]);
	r_expr_begin(w, 0);
	put_expr(w, r, R_EXPR);
	if (!begins)
		return 0;
	list = arguments(e->fourth, (u32)p->offset[R_CALL_DATA]);
	if (list == r->p.nil)
		return 0;
	r->failed = 0;
	r->expr.values = 1;
	r_expr_begin(w, list);
	put_expr(w, r, R_ARGUMENTS);
	r->expr.values = 0;
	return 0;
}
