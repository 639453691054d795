/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The frame of one R function call: how it was called, and from which package.
 *
 * The name is taken from the call's head, as Rprof does: a symbol, or one of
 * `::` `:::` `$` `@` `[[` applied to two symbols or strings; anything else is an
 * anonymous function.  The call object may be a temporary, so it is read now, and
 * only symbols (never freed) are remembered.
 */
#include "walkers/r/r.bpf.h"

/* Text of the symbol or string at address; 0 when it is neither. */
static __noinline u64 text_of(struct walk *w, struct r_walk *r, u64 address)
{
	u32 slot = r_cache_slot(w, address);
	struct r_symbol *e = bpf_map_lookup_elem(&r_symbols, &slot);
	u64 chars = 0;

	if (!e)
		return 0;
	if (e->symbol == address && e->serial == w->process.serial)
		return e->text;
	if (r_sexp_read(w, r, &r->head, address))
		return 0;
	if (r_type(&r->head) == R_STRSXP) {
		if (r_word(w, r, &chars, address + r->p.layout.vector_data))
			return 0;
		return r_text(w, r, chars);
	}
	if (r_type(&r->head) != R_SYMSXP)
		return 0;
	e->symbol = 0;
	w->text_unsent = 0;
	e->text = r_text(w, r, r->head.u[0]);
	e->serial = w->process.serial;
	if (e->text && !w->text_unsent)
		e->symbol = address;
	return e->text;
}

/* Which operator is the symbol at address? 0: none that makes a name. */
static __always_inline u32 operator_of(struct walk *w, struct r_walk *r,
				       u64 address)
{
	u64 text = 0;

	if (r_sexp_read(w, r, &r->scratch, address) ||
	    r_type(&r->scratch) != R_SYMSXP)
		return 0;
	if (r_word(w, r, &text, r->scratch.u[0] + r->p.layout.vector_data))
		return 0;
	if ((text & 0xffffffff) == 0x003a3a3a)
		return R_OP_NS_HIDDEN;
	if ((text & 0xffffff) == 0x003a3a)
		return R_OP_NS;
	if ((text & 0xffff) == '$')
		return R_OP_DOLLAR;
	if ((text & 0xffff) == '@')
		return R_OP_AT;
	if ((text & 0xffffff) == 0x005b5b)
		return R_OP_SUBSET;
	return 0;
}

/* No name: because the call has none, or because it could not be read. */
static __always_inline void push_nameless(struct walk *w,
					  const struct r_walk *r)
{
	if (r->failed)
		walk_count(w, R_NAME);
	walk_push(w, frame_walker(WALKER_R, 0,
				  r->failed ? R_UNNAMED : R_ANONYMOUS, 0));
}

/* Head is a call (r->head): `stats::optimize`, `obj$run`; the object of a method of
 * a reference class is shown by its class. */
static __noinline int push_member(struct walk *w, struct r_walk *r)
{
	u32 op = operator_of(w, r, r->head.u[0]);
	u64 cell = r->head.u[1], left = 0, right = 0;

	if (op && !r_sexp_read(w, r, &r->scratch, cell)) {
		cell = r->scratch.u[1];
		left = text_of(w, r, r->scratch.u[0]);
		if (left && !r_sexp_read(w, r, &r->scratch, cell))
			right = text_of(w, r, r->scratch.u[0]);
	}
	if (right && op == R_OP_DOLLAR && r->closure.attrib != r->p.nil) {
		u64 class = r_class(w, right);

		left = class ? class : left;
		right = r->failed ? 0 : right;
	}
	if (!right) {
		push_nameless(w, r);
		return 0;
	}
	if (!walk_room(w, 3))
		return 0;
	walk_push(w, frame_walker(WALKER_R, 2, R_MEMBER, op));
	walk_push(w, left);
	walk_push(w, right);
	return 0;
}

static __always_inline u64 package_of(struct walk *w, struct r_walk *r,
				      u64 symbol)
{
	u32 slot = r_cache_slot(w, r->function ^ symbol);
	struct r_closure *e = bpf_map_lookup_elem(&r_closures, &slot);
	u64 body = r->closure.u[1], env = r->closure.u[2];

	if (!e)
		return 0;
	if (e->function == r->function && e->symbol == symbol &&
	    e->body == body && e->env == env && e->serial == w->process.serial)
		return e->package;
	r->env = env;
	r->symbol = symbol;
	w->text_unsent = 0;
	e->package = r_package(w);
	/* Half an answer is not kept. */
	if (r->failed) {
		walk_count(w, R_NAME);
		e->function = 0;
		return 0;
	}
	e->function = w->text_unsent ? 0 : r->function;
	e->symbol = symbol;
	e->body = body;
	e->env = env;
	e->serial = w->process.serial;
	return e->package;
}

static __always_inline void push_function(struct walk *w, struct r_walk *r,
					  u64 symbol, u64 name)
{
	u64 package = package_of(w, r, symbol);

	walk_push3(w, frame_walker(WALKER_R, 2, R_FUNCTION, 0), name, package);
}

int r_frame(struct walk *w)
{
	struct r_walk *r;
	u64 head, name;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r)
		return 0;
	r->function = r_field(w, r, r->p.layout.callfun);
	r->failed = 0;
	/* eval() has a context of its own beside the closure's: not a call. */
	if (!r_sexp_read(w, r, &r->closure, r->function) &&
	    r_type(&r->closure) != R_CLOSXP)
		return 0;
	r->placed++;
	w->walker_frames++;
	if (config.lines)
		r_line(w);
	if (config.lexical)
		r_lexical(w);
	if (r->failed ||
	    r_word(w, r, &head, r_field(w, r, r->p.layout.call) + 32)) {
		push_nameless(w, r);
		return 0;
	}
	name = text_of(w, r, head);
	if (name)
		push_function(w, r, head, name);
	else if (!r->failed && r_type(&r->head) == R_LANGSXP)
		push_member(w, r);
	else
		push_nameless(w, r);
	return 0;
}

u64 r_symbol_text(struct walk *w, u64 address)
{
	struct r_walk *r;

	if (!w)
		return 0;
	r = r_current(w);
	return r ? text_of(w, r, address) : 0;
}
