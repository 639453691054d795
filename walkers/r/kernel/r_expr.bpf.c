/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What an R frame is evaluating (--expr): the call under way in it.  What leads to a
 * function without a name, the head of its call, is read in the same way.
 *
 * The call under way in a frame is, as a call object, in the context of the function that
 * the frame called.  For the innermost frame, if it is bytecode, the call is among the
 * constants of its code (r_code.bpf.c).
 *
 * Calls can be temporary objects, so the expression is read now.  It is read from its
 * beginning, up to a number of tokens and a depth, as names and values.  User space puts
 * them together again (r_expr.c).
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_DEPTH 3u
#define ALTREP	  (1ull << 7) /* src/include/Defn.h, R-3-5-0 */

/* Adds a token.  false: there is no room. */
static __always_inline bool add(struct r_expr *e, u32 kind)
{
	u32 n = e->tokens;

	if (n >= R_EXPR_TOKENS)
		return false;
	e->kinds |= (u64)kind << (n * 4 & 63);
	e->tokens = n + 1;
	return true;
}

static __always_inline void add_word(struct r_expr *e, u32 kind, u64 word)
{
	if (add(e, kind))
		e->word[e->words++ & 15] = word;
}

/* A vector of one element. */
static __always_inline void add_vector(struct walk *w, struct r_walk *r,
				       u64 vector)
{
	struct r_expr *e = &r->expr;
	u32 type = r_type(&r->scratch);
	u64 word = 0;

	if (r->scratch.info & ALTREP || (r->scratch.u[0] & 0x7fffffff) != 1) {
		add(e, R_EXPR_OTHER);
		return;
	}
	if (type == R_STRSXP)
		add_word(e, R_EXPR_STRING, r_symbol_text(w, vector));
	else if (!r_word(w, r, &word, vector + r->p.layout.vector_data))
		add_word(e, type, type == R_REALSXP ? word : (u32)word);
}

/* Loads the value of the promise that is loaded, where it is known and R keeps an object of
 * it: *object.  Else the token is added. */
static __always_inline bool has_value(struct walk *w, struct r_walk *r,
				      u64 *object)
{
	u32 type = r->scratch.info >> 48;
	u64 value = r->scratch.u[0];

	if (type)
		add_word(&r->expr, type & 15,
			 type == R_REALSXP ? value : (u32)value);
	else if (value == r->p.unbound)
		add(&r->expr, R_EXPR_OTHER);
	else if (value == r->p.nil)
		add(&r->expr, R_EXPR_NULL);
	else
		return !r_load(w, *object = value);
	return false;
}

/* The object at address; a call's parts come later. */
static __always_inline void add_object(struct walk *w, struct r_walk *r,
				       u64 object)
{
	struct r_expr *e = &r->expr;
	u32 depth = e->depth;

	if (object == r->p.nil) {
		add(e, R_EXPR_NULL);
		return;
	}
	if (r_load(w, object))
		return;
	if (e->values && r_type(&r->scratch) == R_PROMSXP &&
	    !has_value(w, r, &object))
		return;
	switch (r_type(&r->scratch)) {
	case R_SYMSXP:
		add_word(e, R_EXPR_SYMBOL, r_symbol_text(w, object));
		break;
	case R_LANGSXP:
		if (depth >= MAX_DEPTH) {
			add(e, R_EXPR_OTHER);
			break;
		}
		add(e, R_EXPR_OPEN);
		e->depth = depth + 1;
		/* Not every verifier remembers the bound. */
		barrier_var(depth);
		e->cell[depth & 3] = object;
		break;
	case R_STRSXP:
	case R_INTSXP:
	case R_LGLSXP:
	case R_REALSXP:
		add_vector(w, r, object);
		break;
	default:
		add(e, R_EXPR_OTHER);
	}
}

int r_expr_step(struct walk *w)
{
	struct r_walk *r = r_current(w);
	struct r_expr *e;
	u64 cell, value;
	u32 top;

	if (!r)
		return 1;
	e = &r->expr;
	top = e->depth - 1;
	if (top >= MAX_DEPTH || e->tokens >= R_EXPR_TOKENS || r->failed)
		return 1;
	cell = e->cell[top & 3];
	if (cell == r->p.nil) {
		add(e, R_EXPR_CLOSE);
		e->depth = top;
		return 0;
	}
	if (r_load(w, cell) || (r_type(&r->scratch) != R_LANGSXP &&
				r_type(&r->scratch) != R_LISTSXP))
		return 1;
	e->cell[top & 3] = r->scratch.u[1];
	value = r->scratch.u[0];
	if (r->scratch.u[2] != r->p.nil)
		add_word(e, R_EXPR_NAME, r_symbol_text(w, r->scratch.u[2]));
	add_object(w, r, value);
	return 0;
}

/* The expression that the innermost function, r->closure, is evaluating; 0: not
 * known. */
static __always_inline u64 innermost(struct walk *w, struct r_walk *r)
{
	struct r_engine *now = &r->engine, then;
	u64 call;

	r->failed |= r_engine(w, r, 0, now) != 0;
	if (r->failed || now->body != r->closure.u[1])
		return 0;
	call = r_constant(w, R_EXPRESSIONS, 1);
	r->failed |= r_engine(w, r, r->context, &then) != 0;
	/* The engine is still at the call of the function, in code of a function that
	 * calls itself. */
	if (then.body == now->body && then.pc_at == now->pc_at &&
	    (then.cell == R_NO_CELL || then.cell == now->cell))
		return 0;
	return call;
}

int r_expr_begin(struct walk *w, u64 path)
{
	struct r_walk *r = r_current(w);
	struct r_expr *e;
	u64 call;

	if (!r)
		return 0;
	e = &r->expr;
	e->kinds = 0;
	e->tokens = 0;
	e->words = 0;
	e->depth = path != 0;
	e->cell[0] = path;
	if (path)
		return 0;
	call = e->inner ? e->call : innermost(w, r);
	if (call && !r->failed)
		add_object(w, r, call);
	return 0;
}
