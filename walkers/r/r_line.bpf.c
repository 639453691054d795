/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The source line at which an R frame is running (--lines), as the "srcref" of the
 * calls that sys.calls() gives would say it.
 *
 * The variable R_Srcref says where R is now; begincontext() keeps in each new
 * context where it was called from (src/main/context.c, R-4-2-2).  So the place of
 * the innermost frame is in the variable, and that of every other one in the context
 * of what it called.  Code that runs inside of a frame without one of its own, by
 * eval() or in a promise, counts as the frame's.
 *
 * Such a place is NULL (R_NilValue): none; or a srcref: an integer vector that begins
 * with the line, and whose attribute "srcfile" is an environment with a "filename";
 * or the marker R_InBCInterpreter: then the srcref is in the bytecode.  The last of
 * its constants, of class "srcrefsIndex", has for each cell of code the number of the
 * constant that is the cell's srcref (src/main/eval.c, R_findBCInterpreterLocation,
 * R-4-2-2).  The cell is known by the engine's pc, which it stores before each
 * instruction; from 4.4 on a context has the number of its caller's cell instead,
 * because calls share one engine and so one pc.
 *
 * Foreign calls clear R_Srcref, to a null pointer: what it was is in a context of
 * theirs that is no frame (src/main/eval.c, eval(), R-4-2-2).
 *
 * Code and srcrefs can be freed, so all of it is read at the moment of the sample.
 */
#include "walkers/r/r.bpf.h"

#define MAX_ATTRIBUTES 4u /* of a srcref: srcfile comes first */

static __always_inline int sexp(struct walk *w, struct r_sexp *out, u64 address)
{
	return walk_words(w, (u64 *)out, sizeof(*out) / 8, address);
}

/* Of the vector whose head was read.  R 3.4 keeps an int there. */
static __always_inline u64 length(const struct r_sexp *s)
{
	return s->u[0] & 0x7fffffff;
}

/* An element of a list or a vector of integers. */
static __always_inline int element(struct walk *w, const struct r_walk *r,
				   u64 *out, u64 vector, u64 i)
{
	return walk_word(w, out, vector + r->p.layout.vector_data + i * 8);
}

static __always_inline int integer(struct walk *w, const struct r_walk *r,
				   u32 *out, u64 vector, u64 i)
{
	u64 two;
	int err = element(w, r, &two, vector, i / 2);

	*out = two >> (i % 2 * 32);
	return err;
}

/* 1: the first class of the object at hand is "srcrefsIndex", which is the only
 * attribute of it; 0: it is not; -1: unreadable. */
static __always_inline int is_table(struct walk *w, struct r_walk *r)
{
	struct r_lines *l = &r->lines;
	u64 text, chars;

	if (r_type(&l->object) != R_INTSXP || l->object.attrib == r->p.nil)
		return 0;
	if (sexp(w, &l->cell, l->object.attrib))
		return -1;
	if (r_type(&l->cell) != R_LISTSXP)
		return 0;
	if (element(w, r, &chars, l->cell.u[0], 0) ||
	    element(w, r, &text, chars, 0))
		return -1;
	return text == 0x4973666572637273; /* "srcrefsI" */
}

/* Number of the cell at hand in code. */
static __always_inline int cell_number(struct walk *w, const struct r_walk *r,
				       u64 code, u64 *out)
{
	u64 pc;

	*out = r->lines.relpc;
	if (!r->lines.pc_at)
		return 0;
	if (walk_word(w, &pc, r->lines.pc_at))
		return -1;
	*out = (pc - code - r->p.layout.vector_data) / 8;
	return 0;
}

/* l->srcref := that of the cell, 0 when the code has none.  -1: unreadable. */
static __always_inline int find_in_code(struct walk *w, struct r_walk *r)
{
	struct r_lines *l = &r->lines;
	u64 constants, n, cell, table;
	u32 number;
	int found;

	l->srcref = 0;
	if (!l->body)
		return 0;
	if (sexp(w, &l->object, l->body) || r_type(&l->object) != R_BCODESXP ||
	    cell_number(w, r, l->object.u[0], &cell))
		return -1;
	constants = l->object.u[1];
	if (sexp(w, &l->object, constants) || r_type(&l->object) != R_VECSXP)
		return -1;
	n = length(&l->object);
	if (!n)
		return 0;
	if (element(w, r, &table, constants, n - 1) ||
	    sexp(w, &l->object, table))
		return -1;
	found = is_table(w, r);
	if (found <= 0)
		return found;
	/* After a call has returned, code and pc are for a moment not of the same
	 * function. */
	if (cell >= length(&l->object) || integer(w, r, &number, table, cell))
		return -1;
	return number < n ? element(w, r, &l->srcref, constants, number) : 0;
}

/* The cell at which the chain of symbol begins in an environment (src/main/envir.c,
 * R_HashGet, R-4-2-2); 0: unreadable. */
static __always_inline u64 first_cell(struct walk *w, struct r_walk *r, u64 env,
				      u64 symbol)
{
	struct r_lines *l = &r->lines;
	u64 table, name, hash, size, cell;

	if (sexp(w, &l->object, env) || r_type(&l->object) != R_ENVSXP)
		return 0;
	table = l->object.u[2];
	if (table == r->p.nil)
		return l->object.u[0];
	if (walk_word(w, &name, symbol + 32) ||
	    walk_word(w, &hash, name + r->p.layout.char_hash) ||
	    walk_word(w, &size, table + r->p.layout.vector_length))
		return 0;
	size &= 0x7fffffff;
	if (!size || element(w, r, &cell, table, (u32)hash % (u32)size))
		return 0;
	return cell;
}

/* Address of the CHARSXP that a srcfile has as its filename; 0: unreadable. */
static __always_inline u64 filename(struct walk *w, struct r_walk *r,
				    u64 srcfile)
{
	u64 symbol = r->p.sym_filename, chars;
	struct r_sexp *cell = &r->lines.cell;
	u64 at;

	if (!symbol)
		return 0;
	at = first_cell(w, r, srcfile, symbol);
	for (u32 i = 0; i < R_MAX_CHAIN; i++) {
		if (!at || sexp(w, cell, at) || r_type(cell) != R_LISTSXP)
			return 0;
		if (cell->u[2] == symbol)
			break;
		at = cell->u[1];
	}
	if (cell->u[2] != symbol || sexp(w, &r->lines.object, cell->u[0]) ||
	    r_type(&r->lines.object) != R_STRSXP || !length(&r->lines.object) ||
	    element(w, r, &chars, cell->u[0], 0))
		return 0;
	return chars;
}

/* What is known of the srcfile, looked up when it is the first time in this
 * sample.  NULL: unreadable. */
static __always_inline struct r_source *source_of(struct walk *w,
						  struct r_walk *r, u64 srcfile)
{
	struct r_lines *l = &r->lines;
	struct r_source *s = &l->source[srcfile / 56 & (R_SOURCES - 1)];
	u64 chars, text;

	if (s->srcfile == srcfile && s->sample == l->sample)
		return s;
	s->sample = 0;
	chars = filename(w, r, srcfile);
	if (!chars || element(w, r, &text, chars, 0))
		return NULL;
	s->text = (u8)text ? text_at(w, chars + r->p.layout.vector_data) : 0;
	if ((u8)text && !s->text)
		return NULL;
	s->srcfile = srcfile;
	s->sample = l->sample;
	return s;
}

/* The srcfile of the srcref at hand; 0: unreadable. */
static __always_inline u64 srcfile_of(struct walk *w, struct r_walk *r)
{
	struct r_sexp *cell = &r->lines.cell;
	u64 at = r->lines.object.attrib;

	for (u32 i = 0; i < MAX_ATTRIBUTES; i++) {
		if (sexp(w, cell, at) || r_type(cell) != R_LISTSXP)
			return 0;
		if (cell->u[2] == r->p.sym_srcfile)
			return cell->u[0];
		at = cell->u[1];
	}
	return 0;
}

static __always_inline int push_place(struct walk *w, struct r_walk *r,
				      u64 srcref)
{
	struct r_source *s;
	u64 srcfile;
	u32 line;

	if (sexp(w, &r->lines.object, srcref))
		return -1;
	if (r_type(&r->lines.object) != R_INTSXP)
		return 0;
	if (!length(&r->lines.object) || integer(w, r, &line, srcref, 0))
		return -1;
	srcfile = srcfile_of(w, r);
	s = srcfile ? source_of(w, r, srcfile) : NULL;
	if (!s)
		return -1;
	if (!s->text) {
		walk_push(w, frame_walker(WALKER_R, 0, R_LINE,
					  (u64)R_LINE_TYPED << 32 | line));
	} else if (walk_room(w, 2)) {
		walk_push(w, frame_walker(WALKER_R, 1, R_LINE,
					  (u64)R_LINE_FILE << 32 | line));
		walk_push(w, s->text);
	}
	return 0;
}

int r_line_begin(struct walk *w)
{
	struct r_lines *l;
	struct r_walk *r;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r)
		return 0;
	l = &r->lines;
	l->sample++;
	l->srcref = r->p.nil;
	l->body = 0;
	if (!r->p.srcref)
		return 0;
	if (walk_word(w, &l->srcref, r->p.srcref) ||
	    (r->p.bc_body && r->p.bc_pc &&
	     (walk_word(w, &l->pc_at, r->p.bc_pc) ||
	      walk_word(w, &l->body, r->p.bc_body)))) {
		l->srcref = r->p.nil;
		walk_count(w, R_NO_LINE);
	}
	return 0;
}

int r_line(struct walk *w)
{
	struct r_walk *r;
	u64 srcref;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r)
		return 0;
	srcref = r->lines.srcref;
	if (!srcref || srcref == r->p.nil)
		return 0;
	if (srcref == r->p.in_bc) {
		if (find_in_code(w, r))
			goto unknown;
		srcref = r->lines.srcref;
		if (!srcref || srcref == r->p.nil)
			return 0;
	}
	if (push_place(w, r, srcref))
		goto unknown;
	return 0;
unknown:
	walk_count(w, R_NO_LINE);
	return 0;
}

int r_line_leave(struct walk *w, u32 is_frame)
{
	struct r_lines *l;
	struct r_walk *r;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r)
		return 0;
	l = &r->lines;
	if (!is_frame && l->srcref)
		return 0;
	l->pc_at = 0;
	if (walk_word(w, &l->srcref, r->context + r->p.layout.srcref) ||
	    walk_word(w, &l->body, r->context + r->p.layout.bcbody) ||
	    (r->p.layout.relpc >= 0
		     ? walk_word(w, &l->relpc, r->context + r->p.layout.relpc)
		     : walk_word(w, &l->pc_at,
				 r->context + r->p.layout.bcpc))) {
		l->srcref = r->p.nil;
		walk_count(w, R_NO_LINE);
	}
	return 0;
}
