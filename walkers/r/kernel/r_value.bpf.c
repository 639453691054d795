/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What an environment binds a symbol to (src/main/envir.c, R-4-2-2).
 *
 * A hashed environment has a vector of chains, any other one chain; a cell's tag is
 * the symbol.  The bindings of the base environment and of its namespace are the
 * value cells of the symbols.  A promise that has been forced is looked through:
 * lazily loaded code and arguments are bound so.
 *
 * These are functions of their own for the verifier's sake.  It allows eight of them in
 * one another.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_BINDINGS   64u /* cells of one chain */
#define MAX_NAMED      12u /* bindings or attributes that are looked at */
#define FILENAME       0x656d616e656c6966ull /* "filename", little-endian */
#define LINES	       0x73656e696cull	     /* "lines" and a NUL */
#define LINES_MASK     0xffffffffffffull
#define ACTIVE_BINDING (1ull << 23) /* bit 15 of gp: a function is asked */

int r_load(struct walk *w, u64 address)
{
	struct r_walk *r;

	if (!w)
		return -1;
	r = r_current(w);
	return r ? r_sexp_read(w, r, &r->scratch, address) : -1;
}

u64 r_string(struct walk *w, u64 vector, u32 i)
{
	struct r_walk *r = r_current(w);
	u64 chars;

	if (!r || !vector || r_load(w, vector) ||
	    r_type(&r->scratch) != R_STRSXP || r_length(&r->scratch) <= i)
		return 0;
	chars = r_element(w, r, vector, i);
	return chars ? r_text(w, r, chars) : 0;
}

/* First cell of the chain that would hold what has this hash; 0: there is none. */
static __always_inline u64 chain_of(struct walk *w, struct r_walk *r, u64 env,
				    u32 hash)
{
	u64 table;
	u32 n;

	if (r_load(w, env) || r_type(&r->scratch) != R_ENVSXP)
		return 0;
	table = r->scratch.u[2];
	if (table == r->p.nil)
		return r->scratch.u[0];
	if (!table || r_load(w, table))
		return 0;
	n = r_length(&r->scratch);
	return n ? r_element(w, r, table, hash % n) : 0;
}

u64 r_value(struct walk *w, u64 env, u64 symbol)
{
	struct r_walk *r = r_current(w);
	u64 cell = 0, name = 0;

	if (!r)
		return 0;
	if (r_is_base(r, env)) {
		if (r_word(w, r, &cell, symbol + 40))
			return 0;
		return r_unwrap(w, r, cell);
	}
	if (r_word(w, r, &name, symbol + 32) ||
	    r_word(w, r, &name, name + r->p.layout.char_hash))
		return 0;
	cell = chain_of(w, r, env, name);
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

static __always_inline u64 find_named(struct walk *w, struct r_walk *r,
				      u64 cell, u64 name, u64 mask)
{
	for (u32 i = 0; i < MAX_NAMED; i++) {
		u64 word = 0;

		if (!cell || cell == r->p.nil || r_load(w, cell) ||
		    r_type(&r->scratch) != R_LISTSXP)
			return 0;
		cell = r->scratch.u[1];
		if (r_name_word(w, r, &word, r->scratch.u[2]))
			return 0;
		if ((word & mask) != name)
			continue;
		r->r6.symbol = r->scratch.u[2];
		return r->scratch.info >> 48 ? 0 : r->scratch.u[0];
	}
	return 0;
}

u64 r_named(struct walk *w, u64 cell, u64 name, u64 mask)
{
	struct r_walk *r = r_current(w);

	return r ? find_named(w, r, cell, name, mask) : 0;
}

u64 r_line_string(struct walk *w, u64 srcfile, u32 name)
{
	struct r_walk *r = r_current(w);
	bool is_lines = name == R_NAME_LINES;
	u64 vector;

	if (!r)
		return 0;
	vector = chain_of(w, r, srcfile,
			  is_lines ? R_HASH_LINES : R_HASH_FILENAME);
	vector = find_named(w, r, vector, is_lines ? LINES : FILENAME,
			    is_lines ? LINES_MASK : ~0ull);
	if (!vector || r_load(w, vector) || r_type(&r->scratch) != R_STRSXP ||
	    r_length(&r->scratch) != 1)
		return 0;
	return r_element(w, r, vector, 0);
}
