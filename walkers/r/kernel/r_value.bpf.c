/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What an environment binds a symbol to (src/main/envir.c, R-4-2-2).
 *
 * A hashed environment has a vector of chains, any other one chain; a cell's tag is
 * the symbol.  The bindings of the base environment and of its namespace are the
 * value cells of the symbols.  A promise that has been forced is looked through:
 * lazily loaded code and arguments are bound so.
 *
 * These are functions of their own for the verifier's sake.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_BINDINGS   64u		     /* cells of one chain */
#define FILENAME       0x656d616e656c6966ull /* "filename" */
#define LINES	       0x73656e696cull	     /* "lines" */
#define ACTIVE_BINDING (1ull << 23) /* bit 15 of gp: a function is asked */

int r_load(struct walk *w, u64 address)
{
	struct r_walk *r;

	if (!w)
		return -1;
	r = r_current(w);
	return r ? r_sexp_read(w, r, &r->scratch, address) : -1;
}

/* First cell of the chain that would hold the symbol; 0: there is none. */
static __always_inline u64 chain_of(struct walk *w, struct r_walk *r, u64 env,
				    u64 symbol)
{
	u64 table, name, word = 0;
	u32 hash;

	if (r_load(w, env) || r_type(&r->scratch) != R_ENVSXP)
		return 0;
	table = r->scratch.u[2];
	if (table == r->p.nil)
		return r->scratch.u[0];
	name = 0;
	if (!table || r_word(w, r, &name, symbol + 32) ||
	    r_word(w, r, &word, name + r->p.layout.char_hash))
		return 0;
	hash = word;
	if (r_word(w, r, &word, table + r->p.layout.vector_length))
		return 0;
	word &= 0x7fffffff;
	if (!word || r_word(w, r, &word,
			    table + r->p.layout.vector_data +
				    (u64)(hash % (u32)word) * 8))
		return 0;
	return word;
}

u64 r_value(struct walk *w, u64 env, u64 symbol)
{
	struct r_walk *r = r_current(w);
	u64 cell = 0;

	if (!r)
		return 0;
	if (env == r->p.base_namespace || env == r->p.base_env) {
		if (r_word(w, r, &cell, symbol + 40))
			return 0;
		return r_unwrap(w, r, cell);
	}
	cell = chain_of(w, r, env, symbol);
	for (u32 i = 0; i < MAX_BINDINGS; i++) {
		if (!cell || cell == r->p.nil || r_load(w, cell) ||
		    r_type(&r->scratch) != R_LISTSXP)
			return 0;
		if (r->scratch.u[2] == symbol)
			break;
		cell = r->scratch.u[1];
	}
	/* A binding with a type in its upper bits holds a raw scalar. */
	if (r->scratch.u[2] != symbol || r->scratch.info >> 48 ||
	    r->scratch.info & ACTIVE_BINDING)
		return 0;
	return r_unwrap(w, r, r->scratch.u[0]);
}

/* The cell at which the chain of the name with that hash begins in an environment
 * (src/main/envir.c, R_HashGet, R-4-2-2); 0: unreadable. */
static __always_inline u64 first_cell(struct walk *w, struct r_walk *r, u64 env,
				      u32 hash)
{
	struct r_lines *l = &r->lines;
	u64 table, size, first;

	if (r_line_read(w, env, 0) || r_type(&l->object) != R_ENVSXP)
		return 0;
	table = l->object.u[2];
	if (table == r->p.nil)
		return l->object.u[0];
	if (walk_word(w, &size, table + r->p.layout.vector_length))
		return 0;
	size &= 0x7fffffff;
	if (!size || walk_word(w, &first,
			       table + r->p.layout.vector_data +
				       (u64)(hash % (u32)size) * 8))
		return 0;
	return first;
}

/* Whether the symbol has that name, of at most eight bytes. */
static __always_inline bool is_called(struct walk *w, const struct r_walk *r,
				      u64 symbol, u64 text, u32 bytes)
{
	u64 name, got, n;

	if (walk_word(w, &name, symbol + 32) ||
	    walk_word(w, &got, name + r->p.layout.vector_data) ||
	    walk_word(w, &n, name + r->p.layout.vector_length))
		return false;
	/* What stands behind the text is a NUL, and then anything. */
	if (bytes < 8)
		got &= (1ull << bytes * 8) - 1;
	return (n & 0x7fffffff) == bytes && got == text;
}

/* Address of the CHARSXP that is the value of a name in a srcfile, if that is one
 * text; 0: it is not, or it is unreadable.  Global, so that it is verified once.  The
 * symbols are not asked for by address: R makes them when it first needs them, which
 * can be after the attach. */
u64 r_line_string(struct walk *w, u64 srcfile, u32 name)
{
	bool is_lines = name == R_NAME_LINES;
	u64 at, chars, text = is_lines ? LINES : FILENAME;
	u32 bytes = is_lines ? 5 : 8;
	struct r_sexp *c;
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	c = &r->lines.cell;
	at = first_cell(w, r, srcfile,
			is_lines ? R_HASH_LINES : R_HASH_FILENAME);
	for (u32 i = 0; i < R_MAX_CHAIN; i++) {
		if (!at || r_line_read(w, at, 1) || r_type(c) != R_LISTSXP)
			return 0;
		if (is_called(w, r, c->u[2], text, bytes))
			break;
		at = c->u[1];
	}
	if (!is_called(w, r, c->u[2], text, bytes) ||
	    r_line_read(w, c->u[0], 0) ||
	    r_type(&r->lines.object) != R_STRSXP ||
	    (r->lines.object.u[0] & 0x7fffffff) != 1 ||
	    walk_word(w, &chars, c->u[0] + r->p.layout.vector_data))
		return 0;
	return chars;
}
