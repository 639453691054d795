/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The frame of one R function call: whose function it is, and how it was called.
 *
 * The name is taken from the call's head, as Rprof does.  The head is a symbol, or one of
 * `::` `:::` `$` `@` `[[` applied to two symbols or strings, or a path of these; with any
 * other head the function is anonymous.  The call object may be a temporary one, so it is
 * read now.  Only symbols are remembered, because they are never freed.
 *
 * A symbol is the function's own name if the function's environment binds the symbol to
 * this very function.  If that environment is a namespace, the package is shown, too.  If
 * the symbol is not the own name, as `FUN` inside lapply(), r_binding() looks for an own
 * name.  If there is none, r_alias() gives the names by which the function was handed
 * over: the first of them that is the function's own counts, else the outermost.  A call
 * whose head is the function itself, as do.call() makes it, and a call whose head is not a
 * symbol, are treated in the same way.
 *
 * That a name is the function's own is remembered, with all that identifies a closure.  Any
 * other answer depends on the stack, so it is looked for again in each sample.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_EXPR_STEPS (R_EXPR_TOKENS + 1)
#define MAX_STEPS      32u /* arguments and contexts in search of a name */
#define MAX_AROUND     16u /* environments around a function */

/* r->member := the operator and what it is applied to, of the call at hand
 * (r->head). */
static __always_inline void find_member(struct walk *w, struct r_walk *r)
{
	u32 op = r_operator(w, r->head.u[0]);
	u64 cell = r->head.u[1];

	r->member.op = op;
	r->member.left = 0;
	r->member.right = 0;
	if (!op || r_load(w, cell))
		return;
	cell = r->scratch.u[1];
	r->member.left = r_symbol_text(w, r->scratch.u[0]);
	if (!r->failed && !r_load(w, cell)) {
		r->symbol = r->scratch.u[0];
		r->member.right = r_symbol_text(w, r->symbol);
	}
}

/* Sets r->symbol to the function's own name if its environment has one.  Otherwise
 * returns false; a search for the name may have begun. */
static __always_inline bool find_binding(struct walk *w, struct r_walk *r)
{
	u64 env = r->closure.u[2];
	int known = r_binding(w);

	if (known >= 0 || r->failed)
		return known > 0;
	if (env == r->p.global_env || r_package(w, env))
		r_binding_search(w);
	return false;
}

/* Writes the frame with the name that find_binding() has found. */
static __always_inline bool push_bound(struct walk *w, struct r_walk *r)
{
	u64 name, package;

	if (!find_binding(w, r))
		return false;
	name = r_symbol_text(w, r->symbol);
	package = r->failed ? 0 : r_package(w, r->closure.u[2]);
	if (r->failed)
		return false;
	walk_frame(w, WALKER_R, R_FUNCTION, 0, name, package);
	return true;
}

/* Head is a call: `stats::optimize`, `obj$run`; the object of a method of a class
 * that is known is shown by its class.  false: it has no name. */
static __always_inline bool push_member(struct walk *w, struct r_walk *r)
{
	u64 class = 0;
	bool named;

	find_member(w, r);
	if (r->member.right && r->member.op == R_OP_DOLLAR)
		class = r_class(w, r->member.right, r->symbol);
	if (r->failed)
		return false;
	/* An object that is an expression has no name, but may have a class. */
	named = r->member.right && (class || r->member.left);
	if (!class && !(named && (r->member.op == R_OP_NS ||
				  r->member.op == R_OP_NS_HIDDEN))) {
		if (push_bound(w, r))
			return true;
		if (r->failed || r->search.state != R_SEARCH_NONE)
			return false;
	}
	if (!named)
		return false;
	walk_frame(w, WALKER_R, R_MEMBER, r->member.op,
		   class ? class : r->member.left, r->member.right);
	return true;
}

/* Sets r->symbol to the name by which the function was handed over; 0: none is known.
 * Returns whether it is the function's own name. */
static __always_inline bool find_alias(struct walk *w, struct r_walk *r)
{
	struct r_alias *a = &r->alias;

	a->context = r->context;
	a->argument = r->p.nil;
	a->contexts = 0;
	a->end = 0;
	a->nameless = 0;
	r->symbol = 0;
	for (u32 i = 0; i < MAX_STEPS && !a->end; i++) {
		u64 symbol = r_alias(w);

		if (!symbol)
			continue;
		r->symbol = symbol;
		if (r_value(w, r->closure.u[2], symbol) == r->function)
			return true;
	}
	if (a->nameless)
		r->symbol = 0;
	return false;
}

/* Identifies the function, called by symbol (0: by no name), and caches the result.  An
 * incomplete result is not cached. */
static __always_inline void identify(struct walk *w, struct r_walk *r,
				     struct r_closure *e, u64 symbol, u64 name)
{
	u64 env = r->closure.u[2], alias = 0;
	bool own;

	e->function = 0;
	e->name = name;
	e->class = 0;
	e->package = 0;
	r->symbol = symbol;
	own = symbol && r_value(w, env, symbol) == r->function;
	if (symbol && (r->class || !own) && !r->failed)
		e->class = r_class(w, name, symbol);
	if (!own && !e->class && !r->failed) {
		own = find_binding(w, r);
		if (r->search.state != R_SEARCH_NONE)
			return;
		if (!own && !r->failed)
			own = find_alias(w, r);
		if (r->symbol && !r->failed)
			alias = r_symbol_text(w, r->symbol);
		if (alias)
			e->name = alias;
	}
	if (own && !e->class && !r->failed)
		e->package = r_package(w, env);
	if (r->failed || w->text_unsent || !own || r->symbol != symbol)
		return;
	e->function = r->function;
	e->symbol = symbol;
	e->body = r->closure.u[1];
	e->env = env;
	e->serial = w->process.serial;
}

static __always_inline struct r_closure *entry_of(struct walk *w,
						  struct r_walk *r, u64 symbol)
{
	u32 slot = r_cache_slot(w, r->function ^ symbol);

	return bpf_map_lookup_elem(&r_closures, &slot);
}

static __always_inline bool is_known(struct walk *w, struct r_walk *r,
				     struct r_closure *e, u64 symbol)
{
	return e->function == r->function && e->symbol == symbol &&
	       e->body == r->closure.u[1] && e->env == r->closure.u[2] &&
	       e->serial == w->process.serial;
}

static __always_inline void push_entry(struct walk *w, struct r_closure *e)
{
	if (e->class)
		walk_frame(w, WALKER_R, R_MEMBER, R_OP_DOLLAR, e->class,
			   e->name);
	else
		walk_frame(w, WALKER_R, R_FUNCTION, 0, e->name, e->package);
}

/* Head is a symbol, or the function itself (0).  false: it has no name. */
static __always_inline bool push_function(struct walk *w, struct r_walk *r,
					  u64 symbol, u64 name)
{
	struct r_closure *e = entry_of(w, r, symbol);

	if (!e)
		return false;
	if (!is_known(w, r, e, symbol))
		identify(w, r, e, symbol, name);
	if (!e->name || r->failed || r->search.state != R_SEARCH_NONE)
		return false;
	push_entry(w, e);
	return true;
}

/* Write how the current context's function was called. false: by no name. */
static __always_inline bool push_named(struct walk *w, struct r_walk *r)
{
	struct r_closure *e;
	u64 head = 0, name;

	r->member.op = 0;
	if (r->failed)
		return false;
	if (r_method(w))
		return true;
	if (r->failed ||
	    r_word(w, r, &head, r_field(w, r, r->p.layout.call) + 32))
		return false;
	/* Nearly always the cache has the name; then the symbol is not read. */
	e = head ? entry_of(w, r, head) : NULL;
	if (e && is_known(w, r, e, head)) {
		push_entry(w, e);
		return true;
	}
	w->text_unsent = 0;
	name = r_symbol_text(w, head);
	if (r->failed)
		return false;
	r->member.path = head;
	if (!name && r_type(&r->head) == R_LANGSXP)
		return push_member(w, r);
	if (!name && r_type(&r->head) != R_CLOSXP)
		return false;
	return push_function(w, r, name ? head : 0, name);
}

/* Writes what the frame is evaluating; or, if path is not 0, what leads to the
 * function. */
static __always_inline void push_expr(struct walk *w, struct r_walk *r,
				      u64 path)
{
	struct r_expr *e = &r->expr;
	u32 n;

	r_expr_begin(w, path);
	for (u32 i = 0; i < MAX_EXPR_STEPS && !r_expr_step(w); i++)
		;
	n = e->words;
	if (r->failed && !path) {
		walk_count(w, R_NO_EXPR);
		/* The frame's name does not depend on it. */
		r->failed = 0;
		return;
	}
	if (r->failed || !e->tokens || n > R_EXPR_TOKENS ||
	    !walk_room(w, 1 + n))
		return;
	walk_push(w,
		  frame_walker(WALKER_R, n, path ? R_PATH : R_EXPR, e->kinds));
	for (u32 i = 0; i < R_EXPR_TOKENS && i < n; i++)
		walk_push(w, e->word[i & 15]);
}

/* Text of the package in one of whose functions the function was made; 0: none.  A
 * function made in the base environment does not count as made by base. */
static __always_inline u64 find_package(struct walk *w, struct r_walk *r)
{
	u64 env = r->closure.u[2], text = 0;

	for (u32 i = 0; i < MAX_AROUND && !text; i++) {
		if (env == r->p.global_env || env == r->p.base_env)
			break;
		text = r_package(w, env);
		if (r_load(w, env))
			break;
		env = r->scratch.u[1];
	}
	return text;
}

/* Writes a frame without a name: the call has none, or it could not be read.  The
 * expression that leads to the function tells more than the line where the function was
 * written, unless the expression is a mere index. */
static __always_inline void push_nameless(struct walk *w, struct r_walk *r)
{
	bool is_path = r->member.op, is_index = is_path && r->member.left;

	if (!r->failed && (!is_path || is_index) &&
	    r_anonymous(w, find_package(w, r)))
		return;
	if (!r->failed && is_path)
		push_expr(w, r, r->member.path);
	else if (!r->failed)
		walk_frame(w, WALKER_R, R_ANONYMOUS, 0);
	if (!r->failed)
		return;
	walk_count(w, R_NAME);
	walk_frame(w, WALKER_R, R_UNNAMED, 0);
}

/*
 * Which frames are the lexical callers of the innermost one (--lexical): those that
 * Rprof(filter.callframes = TRUE) would show.
 *
 * A function is called in some environment (sysparent), mostly in that of the frame around
 * it.  But an argument is evaluated where it is needed first, in the environment of the
 * function that wrote it.  What the argument calls stands inward of all functions that only
 * handed it on.  The lexical caller of a function is the next frame outward whose own
 * environment (cloenv) is the function's sysparent (src/main/eval.c, findProfContext,
 * R-4-2-2).  If there is none, as for a call in the global environment, only the outermost
 * frame of all still counts.  User space adds it, because user space knows which one it is.
 */
static __always_inline void push_aside(struct walk *w, struct r_walk *r)
{
	if (r->caller && r->caller != r_field(w, r, r->p.layout.cloenv)) {
		walk_frame(w, WALKER_R, R_ASIDE, 0);
		return;
	}
	r->caller = r_field(w, r, r->p.layout.sysparent);
	/* 0 would mean "any frame"; r->p.nil matches none. */
	if (!r->caller)
		r->caller = r->p.nil;
}

/* Writes the words about the frame that is written next. */
static __always_inline void push_notes(struct walk *w, struct r_walk *r)
{
	u32 words = w->words;

	if (config.lines)
		r_line(w);
	if (walk_wants(R_EXPR) && w->words == words)
		push_expr(w, r, 0);
	if (walk_wants(R_LEXICAL))
		push_aside(w, r);
}

int r_frame(struct walk *w)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	r->function = r_field(w, r, r->p.layout.callfun);
	r->failed = 0;
	/* eval() has a context of its own beside the closure's: not a call. */
	if (!r_sexp_read(w, r, &r->closure, r->function) &&
	    r_type(&r->closure) != R_CLOSXP)
		return 0;
	if (r->search.state == R_SEARCH_NONE)
		push_notes(w, r);
	if (!push_named(w, r)) {
		if (r->search.state == R_SEARCH_ON)
			return 0;
		push_nameless(w, r);
	}
	r->search.state = R_SEARCH_NONE;
	r->placed++;
	w->walker_frames++;
	return 0;
}
