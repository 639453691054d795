/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The data that R keeps beside bytecode: tables.
 *
 * The last constants of bytecode are up to two tables.  The compiler always makes one
 * of class "expressionsIndex"; one of class "srcrefsIndex" follows if there are
 * srcrefs.  A table has for each cell of code the number of the constant that is the
 * cell's expression or srcref (src/main/eval.c, R_findBCInterpreterLocation, R-4-2-2).
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_TABLES 2u

/* Whether the object at address is a table of the class.  If so, it stays at hand. */
static __always_inline bool is_table(struct walk *w, struct r_walk *r,
				     u64 table, u64 class)
{
	u64 text;

	if (!table || r_load(w, table) || r_type(&r->scratch) != R_INTSXP ||
	    r->scratch.attrib == r->p.nil || r_load(w, r->scratch.attrib) ||
	    r_type(&r->scratch) != R_LISTSXP)
		return false;
	text = r_element(w, r, r->scratch.u[0], 0);
	return text && r_element(w, r, text, 0) == class && !r_load(w, table);
}

u64 r_constant(struct walk *w, u64 class, u32 innermost)
{
	struct r_walk *r = r_current(w);
	u64 pc = 0, code, constants, n, table = 0;
	struct r_engine *e;
	u32 number;

	if (!r || r_load(w, r->engine.body))
		return 0;
	e = &r->engine;
	code = r->scratch.u[0];
	constants = r->scratch.u[1];
	if (r_type(&r->scratch) != R_BCODESXP || r_load(w, constants) ||
	    r_type(&r->scratch) != R_VECSXP ||
	    (e->cell == R_NO_CELL && r_word(w, r, &pc, e->pc_at))) {
		r->failed = 1;
		return 0;
	}
	if (e->cell == R_NO_CELL)
		e->cell = (pc - code - r->p.layout.vector_data) / 8;
	n = r_length(&r->scratch);
	for (u32 i = 1; i <= MAX_TABLES; i++) {
		if (i > n)
			return 0;
		table = r_element(w, r, constants, n - i);
		if (is_table(w, r, table, class))
			break;
		table = 0;
	}
	if (!table)
		return 0;
	if (e->cell >= r_length(&r->scratch)) {
		r->failed |= !innermost;
		return 0;
	}
	number = r_element(w, r, table, e->cell / 2) >> (e->cell % 2 * 32);
	return number < n ? r_element(w, r, constants, number) : 0;
}
