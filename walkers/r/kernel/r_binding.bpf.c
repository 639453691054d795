/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What is a function's own name, whatever it is called by?
 *
 * A closure does not know its name.  But one of a package has the package's namespace
 * for its environment, and there a symbol is bound to it; so it is with what a script
 * defines at top level, and the global environment.  That symbol is its name, also
 * where it came out of a list, or by a string, and is called FUN.  Where two symbols
 * are bound to it, none is more its name than the other, and none is given.
 *
 * All bindings are looked through for it: those of a namespace and of the global
 * environment are chains in a hash table, those of base are the values of the symbols,
 * which are all in R_SymbolTable (src/main/envir.c and names.c, R-3-4-0 to R-4-6-1).
 * That can be 7,000 symbols, so it is done in parts, each of them a step of the walk,
 * in which nothing moves: the walk comes back to the frame when it is done.
 *
 * What was found is only where to look the next time.  That this symbol of this
 * environment is bound to this function is read in each sample, so it cannot be stale.
 * That there is none is believed for a second, of the same function; in the global
 * environment, of the same body: whoever writes a function without a name makes a new
 * one each time, but the code stays.
 *
 * Searching is what a walk can spend most time on, and what there is to be searched is
 * the target's to choose.  So there is an account of cells on each CPU, which fills by
 * the time that passes: a fiftieth of it can go into searches, and at one time what is
 * in the account.  None begins that is not likely to end; one that does not end all the
 * same is not tried again for a minute.
 */
#include "walkers/r/kernel/r.bpf.h"

#define PARTS	       4u	     /* cells or chains looked at in one step */
#define BELIEVED       1000000000ull /* ns */
#define HUGE_BELIEVED  60000000000ull
#define MAX_CELLS      32768u /* in the account: 3 ms, with cold caches 15 */
#define CELL_NS	       5000u  /* that one takes to come in; it is seen in 80 */
#define CHAIN_CELLS    4u     /* more than these a chain seldom has */
#define MAX_CHAINS     (1u << 20)
#define ACTIVE_BINDING (1ull << 23) /* see r_value.bpf.c */

struct map_r_bindings r_bindings SEC(".maps");

/* The vector of chains of an environment; 0: it has none, like that of a call. */
static __always_inline u64 table_of(struct walk *w, struct r_walk *r, u64 env)
{
	if (r_load(w, env) || r_type(&r->scratch) != R_ENVSXP ||
	    r->scratch.u[2] == r->p.nil)
		return 0;
	return r->scratch.u[2];
}

/* What has come in since the last sample here. */
int r_binding_begin(struct walk *w)
{
	struct r_walk *r = r_current(w);
	u64 passed;

	if (!r)
		return 0;
	passed = w->sample.time - r->search.refilled;
	if (!r->search.refilled ||
	    passed / CELL_NS > MAX_CELLS - r->search.left)
		r->search.left = MAX_CELLS;
	else
		r->search.left += passed / CELL_NS;
	r->search.refilled = w->sample.time;
	return 0;
}

/* Are there cells enough for so many chains? */
static __always_inline bool can_end(const struct r_search *s)
{
	u64 cells = s->chains * (CHAIN_CELLS + 1);

	return s->left >= (cells < MAX_CELLS / 2 ? cells : MAX_CELLS / 2);
}

int r_binding_search(struct walk *w)
{
	struct r_search *s;
	struct r_walk *r = r_current(w);
	u64 env, table;

	if (!r)
		return 0;
	s = &r->search;
	env = r->closure.u[2];
	s->base = r_is_base(r, env);
	s->table = r->p.symbol_table;
	s->chains = r->p.symbol_chains;
	if (!s->base) {
		table = table_of(w, r, env);
		s->table = table + r->p.layout.vector_data;
		if (!table || r_load(w, table))
			return 0;
		s->chains = r_length(&r->scratch);
	}
	if (s->chains > MAX_CHAINS || !can_end(s)) {
		walk_count(w, R_NO_SEARCH);
		return 0;
	}
	if (!s->table)
		return 0;
	s->state = R_SEARCH_ON;
	s->function = r->function;
	s->symbol = 0;
	s->cell = 0;
	s->several = 0;
	s->at = 0;
	s->n = 0;
	return 0;
}

/* What the search has found, which ends with it. */
static __always_inline int take(struct walk *w, struct r_walk *r)
{
	struct r_search *s = &r->search;

	r->failed |= s->state == R_SEARCH_FAILED;
	s->state = R_SEARCH_NONE;
	if (r->failed || s->several)
		return 0;
	r->symbol = s->symbol;
	return s->symbol != 0;
}

/* Is it known that nothing is bound to the function? */
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
	struct r_walk *r = r_current(w);
	u64 body, env;

	if (!r)
		return 0;
	r->symbol = 0;
	if (r->search.state != R_SEARCH_NONE)
		return take(w, r);
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
	return !r->failed && (r_is_base(r, env) || table_of(w, r, env)) ? -1
									: 0;
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
	} else if (flags >> 48 || flags & ACTIVE_BINDING) {
		return;
	}
	if (value == r->p.unbound || r_unwrap(w, r, value) != s->function)
		return;
	s->several |= s->symbol && s->symbol != symbol;
	s->symbol = symbol;
}

/* The next chain of those that were read, 0: the others are empty.  Of a table that was
 * once full of names most are, and a step for each would be more than a walk has. */
static __always_inline u64 next_chain(const struct r_walk *r,
				      struct r_search *s)
{
	for (u32 i = 0; i < R_CHAINS && s->at < s->n; i++) {
		u64 cell = s->chain[s->at++ & (R_CHAINS - 1)];

		if (cell != r->p.nil)
			return cell;
	}
	return 0;
}

/* Read the next chains.  false: there are no more. */
static __always_inline bool read_chains(struct r_walk *r)
{
	struct r_search *s = &r->search;

	if (!s->chains || r->failed)
		return false;
	s->left -= s->left != 0;
	s->at = 0;
	s->n = s->chains < R_CHAINS ? 1 : R_CHAINS;
	if (s->n == 1)
		r->failed |= walk_read(s->chain, 8, s->table) != 0;
	else
		r->failed |=
			walk_read(s->chain, sizeof(s->chain), s->table) != 0;
	s->chains -= s->n;
	s->table += s->n * 8;
	return !r->failed;
}

static __always_inline void end(struct walk *w, struct r_walk *r, bool huge)
{
	struct r_search *s = &r->search;
	u64 body = r->closure.u[1];
	struct r_bound known = {
		.function = s->function,
		.env = r->closure.u[2],
		.symbol = s->several || huge ? 0 : s->symbol,
		.until = w->sample.time + (huge ? HUGE_BELIEVED : BELIEVED),
		.serial = w->process.serial,
		.huge = huge,
	};

	s->state = r->failed ? R_SEARCH_FAILED : R_SEARCH_DONE;
	s->symbol = known.symbol;
	/* Without room it is searched for again. */
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
			s->cell = next_chain(r, s);
		} else {
			ended = !read_chains(r);
		}
	}
	huge = s->left <= PARTS && !ended && !r->failed;
	if (huge)
		walk_count(w, R_NO_SEARCH);
	if (ended || huge || r->failed)
		end(w, r, huge);
	return 0;
}
