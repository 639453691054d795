/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The functions that the files of the R walker share. */
#ifndef JPBPF_WALKERS_R_KERNEL_R_BPF_H
#define JPBPF_WALKERS_R_KERNEL_R_BPF_H

#include "bpf/block.bpf.h"
#include "walkers/r/kernel/r_state.bpf.h"

WALK_STATE(WALKER_R, r)

static __always_inline u32 r_cache_slot(const struct walk *w, u64 address)
{
	u32 h = (u32)(address >> 3) * 0x9e3779b1u;

	return w->index * R_CACHE_SLOTS + (h >> 21);
}
_Static_assert(R_CACHE_SLOTS == 1u << 11, "r_cache_slot() takes 11 bits");

/* Reads a word that a name depends on.  Without it the name is not known: r->failed. */
static __always_inline int r_word(struct walk *w, struct r_walk *r, u64 *out,
				  u64 address)
{
	int err = walk_word(w, out, address);

	r->failed |= err != 0;
	return err;
}

static __always_inline int r_sexp_read(struct walk *w, struct r_walk *r,
				       struct r_sexp *out, u64 address)
{
	int err = walk_words(w, (u64 *)out, sizeof(*out) / 8, address);

	r->failed |= err != 0;
	return err;
}

/* Text of the CHARSXP at address. */
static __always_inline u64 r_text(struct walk *w, struct r_walk *r, u64 address)
{
	u64 id = text_at(w, address + r->p.layout.vector_data);

	r->failed |= id == 0;
	return id;
}

static __always_inline u32 r_type(const struct r_sexp *s)
{
	return s->info & 31;
}

/* Of a vector.  R 3.4 keeps an int there. */
static __always_inline u32 r_length(const struct r_sexp *s)
{
	return s->u[0] & 0x7fffffff;
}

/* An element of a list, or 8 bytes of another vector; 0 also when it cannot be read. */
static __always_inline u64 r_element(struct walk *w, struct r_walk *r,
				     u64 vector, u64 i)
{
	u64 word = 0;

	if (r_word(w, r, &word, vector + r->p.layout.vector_data + i * 8))
		return 0;
	return word;
}

static __always_inline bool r_is_base(const struct r_walk *r, u64 env)
{
	return env == r->p.base_namespace || env == r->p.base_env;
}

/* A field of the current context. */
static __always_inline u64 r_field(const struct walk *w, const struct r_walk *r,
				   s16 offset)
{
	if (mostly(r->view))
		return direct_word(r->view + (u32)offset);
	if (r->in_block)
		return block_at(w, r->context + (u32)offset);
	return r->word[((u32)offset >> 3) & (R_CONTEXT_WORDS - 1)];
}

/* Where the engine was when the context was begun; context 0: where it is now. */
static __always_inline int r_engine(struct walk *w, const struct r_walk *r,
				    u64 context, struct r_engine *e)
{
	const struct r_layout *l = &r->p.layout;
	u64 body = r->p.bc_body, pc = r->p.bc_pc;

	if (context) {
		body = context + (u32)l->bcbody;
		pc = context + (u32)l->bcpc;
	}
	e->body = 0;
	e->pc_at = 0;
	e->cell = R_NO_CELL;
	if (!body || !pc)
		return 0;
	/* Where calls share one engine, a context has the number of the cell. */
	if (context && l->relpc != R_NO_FIELD &&
	    walk_word(w, &e->cell, context + (u32)l->relpc))
		return -1;
	return walk_word(w, &e->body, body) || walk_word(w, &e->pc_at, pc);
}

/* Whether the promise at hand is inward of the current context. */
static __always_inline bool r_promise_is_next(const struct r_walk *r)
{
	const struct r_pending *p = &r->pending;

	return p->key < r->key ||
	       (p->key == r->key && p->key != WAKE_NEVER && p->at > r->context);
}

/* r_value.bpf.c: text id of the symbol or string at address, else 0. */
u64 r_symbol_text(struct walk *w, u64 address);
/* r_name.bpf.c: writes the frame of the current context.  If r->search.state is R_SEARCH_ON
 * afterwards, the frame is not written yet: call again when the search has ended. */
int r_frame(struct walk *w);
/* r_call.bpf.c: writes the name by which a builtin was called, if it is known.  call: the
 * call object of the builtin's context; 0: the current frame called the marked function. */
int r_call(struct walk *w, u64 call);
/* r_value.bpf.c: r->scratch := the object at address. 0, or an error. */
int r_load(struct walk *w, u64 address);
/* Text id of an element of a vector of strings; 0: it has none. */
u64 r_string(struct walk *w, u64 vector, u32 i);
/* Goes along a list of bindings or attributes, up to a limit.  The value of the first
 * cell whose name has these first bytes (little-endian) under the mask; or whose symbol
 * (R_BY_SYMBOL) or value (R_BY_VALUE) is this one.  Sets r->tag to its symbol.  0: there
 * is none, or its value is not a plain object.  Symbols are found by name because R makes
 * many of them when it first needs them, which can be after the attach. */
#define R_BY_SYMBOL 0ull
#define R_BY_VALUE  1ull
u64 r_find(struct walk *w, u64 cell, u64 what, u64 mask);
/* One step of it: the next cell; 0: the list ends, or it was found (tag, value). */
u64 r_cell(struct walk *w, u64 cell, u64 what, u64 mask);
/* The value that env, which is not base's, binds to the name of these first bytes and
 * this hash; 0: none, or not a plain object.  The value stays at hand. */
u64 r_lookup(struct walk *w, u64 env, u32 hash, u64 name, u64 mask);
/* The value that env binds the symbol to; 0: none, or not a plain object. */
u64 r_value(struct walk *w, u64 env, u64 symbol);
/* Value of the object at address, if it is a forced promise; else itself. */
static __always_inline u64 r_unwrap(struct walk *w, struct r_walk *r, u64 value)
{
	if (!value || r_load(w, value))
		return 0;
	if (r_type(&r->scratch) != R_PROMSXP)
		return value;
	/* A raw scalar has its type there. */
	return r->scratch.info >> 48 ? 0 : r->scratch.u[0];
}

/* First cell of an environment, which stays at hand; R's NULL if it is hashed; 0: it is
 * none. */
static __always_inline u64 r_cells(struct walk *w, struct r_walk *r, u64 env)
{
	if (!env || r_load(w, env) || r_type(&r->scratch) != R_ENVSXP)
		return 0;
	return r->scratch.u[0];
}

#define R_ACTIVE_BINDING (1ull << 23) /* bit 15 of gp: a function is asked */

#define R_SRCREF 0x666572637273ull, 0xffffffffffffffull

/* r_value.bpf.c: the enum r_operator of the symbol at address; 0: none of these. */
u32 r_operator(struct walk *w, u64 address);
/* r_package.bpf.c: text id of the package whose namespace env is, else 0. */
u64 r_package(struct walk *w, u64 env);
/* r_binding.bpf.c: sets r->symbol to the symbol that is bound to r->function in the
 * environment of r->closure (the same function).  Returns 1: there is one; 0: there is
 * none, or more than one, or the environment is local; -1: not known, a search is
 * needed if the environment is one that names functions. */
int r_binding(struct walk *w);
/* Begin that search (r->search.state); r_binding() says then what it has found. */
int r_binding_search(struct walk *w);
/* A part of that search, until r->search.state is another. */
int r_binding_step(struct walk *w);
/* r_alias.bpf.c: one step outward from r->alias.  The symbol by which r->function was
 * handed over there; 0: it was not. */
u64 r_alias(struct walk *w);
/* r_class.bpf.c: writes the frame if r->closure is a method of an S4 generic.  Returns
 * 1 if so.  Sets r->class. */
int r_method(struct walk *w);
/* Text id of the reference class, or of the class of R6, whose method of this name (a text
 * id) and symbol r->function is, else 0.  After r_method(). */
u64 r_class(struct walk *w, u64 name, u64 symbol);
/* r_promise.bpf.c, for --promises only: write the frame of the promise at hand, unless the
 * sample begins, and go to the next. */
int r_promise(struct walk *w, u32 begins);
/* r_code.bpf.c: the constant that bytecode has for the cell at which r->engine is, by its
 * table of this class (the first 8 bytes of it); 0: none.  Sets r->engine.cell.  Of the
 * innermost function, code and pc may not be of the same one for a moment. */
#define R_EXPRESSIONS 0x6973736572707865 /* "expressi", little-endian */
u64 r_constant(struct walk *w, u64 class, u32 innermost);
/* r_expr.bpf.c: find what the frame that is about to be written is evaluating (--expr),
 * or take what leads to its function; read some of it, 1: there is no more. */
int r_expr_begin(struct walk *w, u64 path);
int r_expr_step(struct walk *w);
/* r_line.bpf.c: writes the frame as that of the function without a name that is in such a
 * line, and of this package (a text id, 0: of none).  0: neither is known. */
int r_anonymous(struct walk *w, u64 package);
/* The rest is for --lines only.  The walk leaves the context, whose frame is written if it
 * has one; 0: the sample begins. */
int r_line_leave(struct walk *w, u64 context, u32 is_frame);
/* Write the line of the frame that is about to be written, if it has one. */
int r_line(struct walk *w);
/* Write a frame for the code at hand, which is a file's top level, if its place in the
 * file is known.  text: id of the text of the script's expression, which has so many
 * bytes; 0: the code is a sourced file's. 1: the frame was written. */
int r_line_source(struct walk *w, u64 text, u64 bytes);
/* r_source.bpf.c, for --lines only.  The first writes the script's frame at the native
 * frame of R's main loop, the second a sourced file's at the current context, if that
 * is eval()'s and evaluates one. */
int r_source_main(struct walk *w);
int r_source_eval(struct walk *w);
/* R has kept no source of the code at hand.  A sample counts that once. */
static __always_inline void r_unkept(struct walk *w, struct r_walk *r)
{
	if (!r->lines.unkept)
		walk_count(w, R_NO_SOURCE);
	r->lines.unkept = 1;
}

#endif
