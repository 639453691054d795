/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function's own name, independent of the name by which it is called.
 *
 * A closure does not know its name.  But a package's function has the package's
 * namespace as its environment, and a symbol there is bound to it.  The same holds for
 * a script's top-level functions and the global environment.  That symbol is the
 * function's name, even if it was taken from a list, or given as a string, and is
 * called FUN.  If two symbols are bound to the function, no name is given.
 *
 * The search goes through all bindings of the environment.  Those of a namespace and of
 * the global environment are chains in a hash table.  Those of base are the values of
 * the symbols, which are all in R_SymbolTable (src/main/envir.c and names.c, R-3-4-0 to
 * R-4-6-1).  There can be 7,000 symbols, so the search is done in parts.  Each part is
 * a step of the walk that leaves the walk at the same frame.
 *
 * A name found is kept only as a hint.  Each sample reads that this symbol of this
 * environment is bound to this function, so the name cannot be stale.  "No name" is
 * believed for a second for the same function, and in the global environment for the
 * same body: a program makes a nameless function anew each time, but its code stays.
 *
 * A search is the longest work of a walk, and the process determines its size.  So each
 * walk slot has an account of cells that fills as time passes.  A fiftieth of the time
 * can go into searches, and at one time no more than the account holds.  No search
 * begins that is not likely to end.  One that does not end is not tried again for a
 * minute.
 */
#include "walkers/r/kernel/r.bpf.h"

#define PARTS	      4u	    /* cells or chains looked at in one step */
#define BELIEVED      1000000000ull /* ns */
#define HUGE_BELIEVED 60000000000ull
#define CHAIN_CELLS   4u /* a chain seldom has more cells */
#define MAX_CHAINS    (1u << 20)

struct map_r_bindings r_bindings SEC(".maps");

/* The vector of chains of an environment; 0: it has none, like that of a call. */
static __always_inline u64 table_of(struct walk *w, struct r_walk *r, u64 env)
{
	u64 table = r_cells(w, r, env) ? r->scratch.u[2] : 0;

	return table == r->p.nil ? 0 : table;
}

/* Whether the account has cells enough for the table's chains. */
static __always_inline bool can_end(const struct r_search *s)
{
	u64 cells = s->chains * (CHAIN_CELLS + 1);

	return s->left >= (cells < R_MAX_CELLS / 2 ? cells : R_MAX_CELLS / 2);
}

int r_binding_search(struct walk *w)
{
	struct r_search *s;
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	s = &r->search;
	s->chains = r->p.symbol_chains;
	if (!s->base) {
		if (r_load(w, s->table))
			return 0;
		s->table += r->p.layout.vector_data;
		s->chains = r_length(&r->scratch);
	}
	if (s->chains > MAX_CHAINS || !can_end(s)) {
		walk_count(w, R_NO_SEARCH);
		return 0;
	}
	s->state = R_SEARCH_ON;
	s->symbol = 0;
	s->cell = 0;
	s->several = 0;
	s->at = 0;
	s->n = 0;
	return 0;
}

/* Whether it is known that nothing is bound to the function. */
static __always_inline bool is_unbound(const struct walk *w,
				       const struct r_walk *r,
				       const struct r_bound *known)
{
	return !known->symbol && known->serial == w->process.serial &&
	       known->env == r->closure.u[2] && w->sample.time < known->until &&
	       (known->huge || known->function == r->function ||
		known->env == r->p.global_env);
}

int r_binding(struct walk *w)
{
	struct r_bound *known;
	struct r_search *s;
	struct r_walk *r = r_current(w);
	u64 body, env;

	if (!r)
		return 0;
	s = &r->search;
	r->symbol = 0;
	if (s->state != R_SEARCH_NONE) {
		r->failed |= s->state == R_SEARCH_FAILED;
		s->state = R_SEARCH_NONE;
		r->symbol = r->failed ? 0 : s->symbol;
		return r->symbol != 0;
	}
	body = r->closure.u[1];
	env = r->closure.u[2];
	known = bpf_map_lookup_elem(&r_bindings, &body);
	if (known && is_unbound(w, r, known)) {
		if (known->huge)
			walk_count(w, R_NO_SEARCH);
		return 0;
	}
	if (known && known->symbol && known->function == r->function &&
	    r_value(w, env, known->symbol) == r->function) {
		r->symbol = known->symbol;
		return 1;
	}
	s->base = r_is_base(r, env);
	s->table = s->base ? r->p.symbol_table : table_of(w, r, env);
	return s->table && !r->failed ? -1 : 0;
}

static __always_inline void look_at_cell(struct walk *w, struct r_walk *r)
{
	struct r_search *s = &r->search;
	u64 symbol, value, flags;

	if (r_load(w, s->cell) || r_type(&r->scratch) != R_LISTSXP) {
		s->cell = 0;
		return;
	}
	s->cell = r->scratch.u[1];
	value = r->scratch.u[0];
	flags = r->scratch.info;
	symbol = r->scratch.u[2];
	if (s->base) {
		symbol = value;
		if (r_word(w, r, &value, symbol + 40))
			return;
	} else if (flags >> 48 || flags & R_ACTIVE_BINDING) {
		return;
	}
	if (value == r->p.unbound || r_unwrap(w, r, value) != r->function)
		return;
	s->several |= s->symbol && s->symbol != symbol;
	s->symbol = symbol;
}

/* The next non-empty chain of those that were read; 0: there is none.  Most chains of a
 * table that was once full are empty, and a walk has not enough steps for one each.
 * Global, so that the verifier goes through the loop only once. */
__noinline u64 r_next_chain(struct walk *w)
{
	struct r_walk *r = r_current(w);
	struct r_search *s;

	if (!r)
		return 0;
	s = &r->search;
	for (u32 i = 0; i < R_CHAINS && s->at < s->n; i++) {
		u64 cell = s->chain[s->at++ & (R_CHAINS - 1)];

		if (cell != r->p.nil)
			return cell;
	}
	return 0;
}

/* Reads the next chains.  Returns false if there are no more. */
static __always_inline bool read_chains(struct walk *w, struct r_walk *r)
{
	struct r_search *s = &r->search;
	u64 n;

	if (!s->chains || r->failed)
		return false;
	s->left -= s->left != 0;
	s->at = 0;
	n = s->chains < R_CHAINS ? s->chains : R_CHAINS;
	s->n = n;
	r->failed |= walk_read(w, s->chain, n * 8, s->table) != 0;
	s->chains -= n;
	s->table += n * 8;
	return !r->failed;
}

static __always_inline void end(struct walk *w, struct r_walk *r, bool huge)
{
	struct r_search *s = &r->search;
	u64 body = r->closure.u[1];
	struct r_bound known = {
		.function = r->function,
		.env = r->closure.u[2],
		.symbol = s->several || huge ? 0 : s->symbol,
		.until = w->sample.time + (huge ? HUGE_BELIEVED : BELIEVED),
		.serial = w->process.serial,
		.huge = huge,
	};

	s->state = r->failed ? R_SEARCH_FAILED : R_SEARCH_DONE;
	s->symbol = known.symbol;
	/* If the map has no room, the next sample searches again. */
	if (!r->failed)
		bpf_map_update_elem(&r_bindings, &body, &known, BPF_ANY);
}

int r_binding_step(struct walk *w)
{
	struct r_search *s;
	struct r_walk *r = r_current(w);
	bool ended = false, huge;

	if (!r)
		return 0;
	s = &r->search;
	for (u32 i = 0; i < PARTS && !r->failed && !ended; i++) {
		if (s->cell == r->p.nil)
			s->cell = 0;
		if (s->cell) {
			s->left -= s->left != 0;
			look_at_cell(w, r);
		} else if (s->at < s->n) {
			s->cell = r_next_chain(w);
		} else {
			ended = !read_chains(w, r);
		}
	}
	huge = s->left <= PARTS && !ended && !r->failed;
	if (huge)
		walk_count(w, R_NO_SEARCH);
	if (ended || huge || r->failed)
		end(w, r, huge);
	return 0;
}
