/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function without a name is known by the line in which it is written, if R
 * kept that: the closure's attribute "srcref" is a vector of integers that begins
 * with the line, and has for its attribute "srcfile" an environment with a "filename"
 * (src/main/gram.y, makeSrcref(), R-4-2-2); and by its package, if one made it.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_ATTRIBUTES 8u

/* The value of an attribute; 0: it is not in the list. */
static __noinline u64 attribute(struct walk *w, struct r_walk *r, u64 list,
				u64 symbol)
{
	for (u32 i = 0; i < MAX_ATTRIBUTES; i++) {
		if (!list || list == r->p.nil || r_load(w, list) ||
		    r_type(&r->scratch) != R_LISTSXP)
			return 0;
		if (r->scratch.u[2] == symbol)
			return r->scratch.u[0];
		list = r->scratch.u[1];
	}
	return 0;
}

/* The CHARSXP with the file's name; 0: not known. */
static __always_inline u64 file_of(struct walk *w, struct r_walk *r, u64 srcref)
{
	u64 file = attribute(w, r, r->scratch.attrib, r->p.sym_srcfile);

	return file ? r_line_string(w, file, R_NAME_FILENAME) : 0;
}

/* Where the function is written, as the frame has it, and *file; 0: not known. */
static __always_inline u64 place_of(struct walk *w, struct r_walk *r, u64 *file)
{
	u64 srcref, line = 0, chars, first = 0;

	if (!r->p.sym_srcref || !r->p.sym_srcfile)
		return 0;
	srcref = attribute(w, r, r->closure.attrib, r->p.sym_srcref);
	if (!srcref || r_load(w, srcref) || r_type(&r->scratch) != R_INTSXP ||
	    r_word(w, r, &line, srcref + r->p.layout.vector_data))
		return 0;
	chars = file_of(w, r, srcref);
	if (!chars || r_word(w, r, &first, chars + r->p.layout.vector_data))
		return 0;
	if ((u8)first)
		*file = r_text(w, r, chars);
	return (u64)(*file ? R_LINE_FILE : R_LINE_TYPED) << 32 | (u32)line;
}

int r_anonymous(struct walk *w, u64 package)
{
	struct r_walk *r = r_current(w);
	u64 place, file = 0;

	if (!r)
		return 0;
	place = place_of(w, r, &file);
	if (r->failed || (!place && !package))
		return 0;
	walk_push3(w, frame_walker(WALKER_R, 2, R_ANONYMOUS, place), file,
		   package);
	return 1;
}
