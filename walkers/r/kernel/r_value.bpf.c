/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What an environment binds a symbol to (src/main/envir.c, R-4-2-2), and texts of symbols.
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

#define MAX_CELLS 64u /* of one list */

int r_load(struct walk *w, u64 address)
{
	struct r_walk *r = r_current(w);

	return r ? r_sexp_read(w, r, &r->scratch, address) : -1;
}

u64 r_string(struct walk *w, u64 vector, u32 i)
{
	struct r_walk *r = r_current(w);

	if (!r || !vector || r_load(w, vector) ||
	    r_type(&r->scratch) != R_STRSXP || r_length(&r->scratch) <= i)
		return 0;
	return r_text(w, r, r_element(w, r, vector, i));
}

/* First cell of the chain that would hold what has this hash; 0: there is none. */
static __always_inline u64 chain_of(struct walk *w, struct r_walk *r, u64 env,
				    u32 hash)
{
	u64 cells = r_cells(w, r, env), table = r->scratch.u[2];
	u32 n;

	if (!cells || table == r->p.nil)
		return cells;
	if (!table || r_load(w, table))
		return 0;
	n = r_length(&r->scratch);
	return n ? r_element(w, r, table, hash % n) : 0;
}

/* The word at address, without the call of direct_read(): the functions here are called as
 * deep as the verifier allows. */
static __always_inline u64 word_at(struct walk *w, struct r_walk *r,
				   u64 address)
{
	u64 word = 0;

	if (!walk_words(w, &word, 1, address))
		return word;
	r->failed = 1;
	return 0;
}

/* The first 8 bytes of a symbol's name. */
static __always_inline u64 name_word(struct walk *w, struct r_walk *r,
				     u64 symbol)
{
	u64 chars = word_at(w, r, symbol + 32);

	return word_at(w, r, chars + r->p.layout.vector_data);
}

/* Whether the cell at hand is the one that r_find() is told of. */
static __always_inline bool is_it(struct walk *w, struct r_walk *r, u64 what,
				  u64 mask)
{
	if (mask == R_BY_VALUE)
		return r->scratch.u[0] == what;
	if (mask == R_BY_SYMBOL)
		return r->scratch.u[2] == what;
	return (name_word(w, r, r->scratch.u[2]) & mask) == what;
}

u64 r_cell(struct walk *w, u64 cell, u64 what, u64 mask)
{
	struct r_walk *r = r_current(w);

	if (!r || cell == r->p.nil || r_sexp_read(w, r, &r->scratch, cell) ||
	    r_type(&r->scratch) != R_LISTSXP)
		return 0;
	if (!is_it(w, r, what, mask))
		return r->scratch.u[1];
	r->tag = r->scratch.u[2];
	/* With a type in its upper bits, a cell holds a raw scalar. */
	if (!(r->scratch.info >> 48 || r->scratch.info & R_ACTIVE_BINDING))
		r->value = r->scratch.u[0];
	return 0;
}

static __always_inline u64 find(struct walk *w, struct r_walk *r, u64 cell,
				u64 what, u64 mask)
{
	r->value = 0;
	for (u32 i = 0; i < MAX_CELLS && cell; i++)
		cell = r_cell(w, cell, what, mask);
	return r->value;
}

u64 r_find(struct walk *w, u64 cell, u64 what, u64 mask)
{
	struct r_walk *r = r_current(w);

	return r ? find(w, r, cell, what, mask) : 0;
}

u64 r_lookup(struct walk *w, u64 env, u32 hash, u64 name, u64 mask)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	return r_unwrap(w, r,
			find(w, r, chain_of(w, r, env, hash), name, mask));
}

u64 r_value(struct walk *w, u64 env, u64 symbol)
{
	struct r_walk *r = r_current(w);
	u64 value = 0, name = 0;

	if (!r)
		return 0;
	if (r_is_base(r, env))
		r_word(w, r, &value, symbol + 40);
	else if (!r_word(w, r, &name, symbol + 32) &&
		 !r_word(w, r, &name, name + r->p.layout.char_hash))
		value = find(w, r, chain_of(w, r, env, name), symbol,
			     R_BY_SYMBOL);
	return r_unwrap(w, r, value);
}

u64 r_symbol_text(struct walk *w, u64 address)
{
	struct r_walk *r = r_current(w);
	struct r_symbol *e;
	u32 slot;

	if (!r)
		return 0;
	slot = r_cache_slot(w, address);
	e = bpf_map_lookup_elem(&r_symbols, &slot);
	if (!e)
		return 0;
	if (e->symbol == address && e->serial == w->process.serial)
		return e->text;
	if (r_sexp_read(w, r, &r->head, address))
		return 0;
	if (r_type(&r->head) == R_STRSXP)
		return r_text(w, r, r_element(w, r, address, 0));
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

u32 r_operator(struct walk *w, u64 address)
{
	struct r_walk *r = r_current(w);
	u64 text;

	if (!r || r_load(w, address) || r_type(&r->scratch) != R_SYMSXP)
		return 0;
	text = r_element(w, r, r->scratch.u[0], 0);
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
