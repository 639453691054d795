/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The names by which a function was passed as an argument to the functions that call
 * it.
 *
 * lapply() calls a function by the name of its own argument, FUN.  But a context keeps
 * the promises with which its function was called (promargs), and a forced promise
 * keeps its expression and its value.  If an argument's value is the running function
 * and its expression is a name, or pkg::name, then this name had this value.  Nothing
 * is guessed.  Nothing can be stale, because all objects read are held by the stack at
 * the moment of the sample.
 *
 * There may be several such names outward, as for sapply(x, median) and its
 * lapply(X = X, FUN = FUN).  They are given one by one, and the caller chooses.  If the
 * outermost expression is not a name, that expression made the function, and the names
 * inward of it are only names of arguments.
 *
 * A function passed as an element of a list, or by a string, is not found here.
 * r_binding() finds it if a namespace or the global environment has a name for it.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_CONTEXTS 12u

/* The symbol that an expression consists of, or the second one of pkg::name; else 0.
 * Compiled code has its expression for its first constant. */
static __always_inline u64 symbol_of(struct walk *w, struct r_walk *r, u64 expr)
{
	u64 op;

	if (r_load(w, expr))
		return 0;
	if (r_type(&r->scratch) == R_BCODESXP) {
		expr = r_element(w, r, r->scratch.u[1], 0);
		if (!expr || r_load(w, expr))
			return 0;
	}
	if (r_type(&r->scratch) == R_SYMSXP)
		return expr;
	if (r_type(&r->scratch) != R_LANGSXP)
		return 0;
	expr = r->scratch.u[1];
	op = r_operator(w, r->scratch.u[0]);
	if ((op != R_OP_NS && op != R_OP_NS_HIDDEN) || r_load(w, expr) ||
	    r_load(w, r->scratch.u[1]))
		return 0;
	expr = r->scratch.u[0];
	return !r_load(w, expr) && r_type(&r->scratch) == R_SYMSXP ? expr : 0;
}

/* Goes to the arguments of the next context outward.  Returns 0; -1: there is none. */
static __always_inline int next_context(struct walk *w, struct r_walk *r)
{
	struct r_alias *a = &r->alias;
	u64 flags;

	if (++a->contexts > MAX_CONTEXTS || a->context == r->p.toplevel ||
	    r_word(w, r, &a->context, a->context + (u32)r->p.layout.next) ||
	    !a->context || a->context == r->p.toplevel ||
	    r_word(w, r, &flags, a->context + (u32)r->p.layout.flags))
		return -1;
	a->argument = r->p.nil;
	if (flags & R_CTXT_FUNCTION)
		return r_word(w, r, &a->argument, a->context + R_PROMARGS);
	return 0;
}

/* The name behind one argument; 0: its value is not the function.  Goes on to the next
 * argument. */
static __always_inline u64 look_at_argument(struct walk *w, struct r_walk *r)
{
	struct r_alias *a = &r->alias;
	u64 symbol;

	if (r_load(w, a->argument) || r_type(&r->scratch) != R_LISTSXP) {
		a->argument = r->p.nil;
		return 0;
	}
	a->argument = r->scratch.u[1];
	/* With a type in its upper bits, a cell or promise holds a raw scalar. */
	if (r->scratch.info >> 48 || r_load(w, r->scratch.u[0]) ||
	    r_type(&r->scratch) != R_PROMSXP || r->scratch.info >> 48 ||
	    r->scratch.u[0] != r->function)
		return 0;
	symbol = symbol_of(w, r, r->scratch.u[1]);
	a->nameless = !symbol;
	return symbol;
}

u64 r_alias(struct walk *w)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	if (r->alias.argument != r->p.nil)
		return look_at_argument(w, r);
	r->alias.end = next_context(w, r) != 0;
	return 0;
}
