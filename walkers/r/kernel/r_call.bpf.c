/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The name by which a builtin was called.  One C function can serve many builtins
 * (do_math1() is floor, sqrt and more).  The argument that tells them apart is lost
 * when the sample is taken.  But only a few functions call builtins, and each leaves a
 * trace.  The word written here stands just outward of the native word of the builtin's
 * function and is about that function only.
 *
 * The bytecode engine keeps its pc in a local variable.  The variable's address is in
 * R_BCpc or, once another context was begun, in that context's bcpc.  If the address lies
 * in the caller's frame, the caller is the engine.  The engine has the function that it
 * calls on the node stack.  For an operator it has no such object.  But it stores the pc
 * before each instruction (src/main/eval.c, bcEval(): NEXT, R-3-4-0 to R-4-6-1), and the
 * constants have the call that the instruction is part of (r_code.bpf.c).
 *
 * Rf_eval() and R_forceAndCall() protect the builtin and its arguments just before
 * they call (src/main/eval.c, R-3-4-0 to R-4-6-1).  So it is the uppermost builtin on
 * R_PPStack, below what its function has put there since.  Foreign calls have a context
 * with the call.
 *
 * .Internal() leaves no trace.  User space accepts the name only if it is one of the
 * function's.
 */
#include "walkers/r/kernel/r.bpf.h"

/* FUNTAB, src/include/Defn.h, R-3-4-0 to R-4-6-1: 40 bytes, the name first. */
#define FUN_TAB_ENTRY 40u
#define FUN_TAB_MAX   8192u

static __always_inline void push_text(struct walk *w, u64 name)
{
	if (name)
		walk_frame(w, WALKER_R, R_CALLED, 0, name);
}

/* Writes the name called by the call object at address, if its head is a symbol. */
static __always_inline void push_called(struct walk *w, struct r_walk *r,
					u64 call)
{
	if (r_load(w, call) || r_type(&r->scratch) != R_LANGSXP)
		return;
	push_text(w, r_symbol_text(w, r->scratch.u[0]));
}

/* Writes the name of the object at address if it is a builtin; returns whether it is.
 * Builtins are never freed (src/main/dstruct.c, mkPRIMSXP, R-4-2-2). */
static __always_inline bool push_builtin(struct walk *w, struct r_walk *r,
					 u64 address)
{
	u64 info, offset, name;

	if (r_word(w, r, &info, address) || (info & 31) != R_BUILTINSXP)
		return false;
	if (!r_word(w, r, &offset, address + 32) && (u32)offset < FUN_TAB_MAX &&
	    !r_word(w, r, &name,
		    r->p.fun_tab + (u64)(u32)offset * FUN_TAB_ENTRY))
		push_text(w, text_at(w, name));
	return true;
}

/* An engine that calls a function that it was given has on its stack the function,
 * and first and last cell of the arguments (src/main/eval.c, bcEval(): CALL and
 * CALLBUILTIN).  Below what was made the arguments of an operator there is no
 * function. */
static __always_inline bool push_callee(struct walk *w, struct r_walk *r)
{
	u64 top = 0, cell[2];

	if (!r->p.fun_tab || !r->p.node_stack_top ||
	    r_word(w, r, &top,
		   r->left ? r->left + r->p.nodestack : r->p.node_stack_top))
		return false;
	if (walk_words(w, cell, 2, top - 3 * r->p.layout.bcstack_cell)) {
		r->failed = 1;
		return false;
	}
	/* What is not an object has a tag. */
	return !(u32)cell[0] && cell[1] && push_builtin(w, r, cell[1]);
}

/* Writes the name of the uppermost builtin that is protected. */
static __always_inline void push_protected(struct walk *w, struct r_walk *r)
{
	u64 stack, top, start = 0;

	if (!r->p.protected || r_word(w, r, &stack, r->p.protected) ||
	    r_word(w, r, &top,
		   r->left ? r->left + R_CSTACKTOP : r->p.protected_top))
		return;
	top = (u32)top;
	if (top > R_PROTECTED)
		start = top - R_PROTECTED;
	r->failed |= walk_words(w, r->protected, R_PROTECTED,
				stack + start * 8) != 0;
	for (u32 i = 0; i < R_PROTECTED && i < top - start && !r->failed; i++) {
		u64 at =
			r->protected[(top - start - 1 - i) & (R_PROTECTED - 1)];

		if (!at || push_builtin(w, r, at))
			return;
	}
}

/* A call may be the last instruction of the code. */
static __always_inline bool returns_to(const struct walk *w, const u64 *code)
{
	return w->pc > code[0] && w->pc <= code[1];
}

static __always_inline void push_caller(struct walk *w, struct r_walk *r)
{
	struct r_engine *e = &r->engine;
	u64 call;

	/* As of the marked function. */
	r->failed |= r_engine(w, r, r->left, e) != 0;
	if (e->pc_at >= r->marked && e->pc_at < w->cfa) {
		if (push_callee(w, r))
			return;
		call = r_constant(w, R_EXPRESSIONS, 1);
		if (call)
			push_called(w, r, call);
	} else if (returns_to(w, r->p.eval) ||
		   returns_to(w, r->p.force_and_call)) {
		push_protected(w, r);
	}
}

int r_call(struct walk *w, u64 call)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	r->failed = 0;
	if (call)
		push_called(w, r, call);
	else
		push_caller(w, r);
	if (r->failed)
		walk_count(w, R_NAME);
	return 0;
}
