/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which package does a called closure come from?
 *
 * Only what is certain is said: the closure's environment must be a namespace,
 * and that namespace must bind the name used in the call to this very closure.
 * So `FUN` inside lapply() gets no package, even when the function given was
 * one of a package.
 *
 * A namespace is an environment that binds `.__NAMESPACE__.` to an environment
 * whose `spec` is a character vector that begins with the package's name
 * (src/library/base/R/namespace.R, makeNamespace, R-4-2-2).  The base namespace is
 * special: its bindings are the value cells of the symbols.
 *
 * Runs only when the closure cache misses, so it may chase pointers.
 */
#include "walkers/r/r.bpf.h"

/* Value of the cell: promises of lazily loaded code are looked through. */
static __always_inline u64 unwrap(struct walk *w, struct r_walk *r, u64 value)
{
	if (r_scratch(w, value))
		return 0;
	return r_type(&r->scratch) == R_PROMSXP ? r->scratch.u[0] : value;
}

/* The chain of a hashed environment that would hold a name with this hash
 * (src/main/envir.c, R_HashGet, R-4-2-2). */
static __always_inline u64 chain_of(struct walk *w, struct r_walk *r, u64 env,
				    u32 hash)
{
	u64 table, length, cell = 0;

	if (r_scratch(w, env) ||
	    r_type(&r->scratch) != R_ENVSXP)
		return 0;
	table = r->scratch.u[2];
	if (!table || table == r->p.nil)
		return 0;
	if (r_word(w, r, &length, table + r->p.layout.vector_length))
		return 0;
	length &= 0x7fffffff;
	if (!length)
		return 0;
	if (r_word(w, r, &cell,
		   table + r->p.layout.vector_data +
			   (u64)(hash % (u32)length) * 8))
		return 0;
	return cell;
}

int r_scratch(struct walk *w, u64 address)
{
	struct r_walk *r;

	if (!w)
		return -1;
	r = r_current(w);
	return r ? r_sexp_read(w, r, &r->scratch, address) : -1;
}

/* Not static, so that it is verified once and not at each call. */
u64 r_binding(struct walk *w, u64 env, u64 symbol)
{
	u64 cell, name = 0, hash = 0;
	struct r_walk *r;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r || r_word(w, r, &name, symbol + 32) ||
	    r_word(w, r, &hash, name + r->p.layout.char_hash))
		return 0;
	cell = chain_of(w, r, env, hash);
	for (u32 i = 0; i < R_MAX_CHAIN; i++) {
		if (!cell || cell == r->p.nil || r_scratch(w, cell))
			return 0;
		if (r->scratch.u[2] == symbol)
			/* An immediate binding holds a raw scalar (extra). */
			return r->scratch.info >> 48 ? 0 : r->scratch.u[0];
		cell = r->scratch.u[1];
	}
	return 0;
}

static __always_inline u64 base_text(struct walk *w)
{
	w->text.text[0] = 'b';
	w->text.text[1] = 'a';
	w->text.text[2] = 's';
	w->text.text[3] = 'e';
	w->text_bytes = 4;
	return text_intern(w);
}

static __always_inline u64 namespace_text(struct walk *w, struct r_walk *r)
{
	u64 info, spec, chars;

	if (!r->p.sym_namespace || !r->p.sym_spec)
		return 0;
	info = r_binding(w, r->env, r->p.sym_namespace);
	if (!info)
		return 0;
	spec = r_binding(w, info, r->p.sym_spec);
	if (!spec || r_scratch(w, spec) ||
	    r_type(&r->scratch) != R_STRSXP)
		return 0;
	if (r_word(w, r, &chars, spec + r->p.layout.vector_data))
		return 0;
	return r_text(w, r, chars);
}

u64 r_package(struct walk *w)
{
	struct r_walk *r;
	u64 value;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r)
		return 0;
	if (r->env == r->p.base_namespace || r->env == r->p.base_env) {
		if (r_word(w, r, &value, r->symbol + 40))
			return 0;
		return unwrap(w, r, value) == r->function ? base_text(w) : 0;
	}
	if (r->env == r->p.global_env)
		return 0;
	value = r_binding(w, r->env, r->symbol);
	if (!value || unwrap(w, r, value) != r->function)
		return 0;
	return namespace_text(w, r);
}
