/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function without a name is known by the line in which it is written, if R kept
 * that in the closure's attribute "srcref"; and by its package, if one made it.
 */
#include "walkers/r/kernel/r.bpf.h"

/* Where the function is written, as the frame has it, and *file; 0: not known. */
static __always_inline u64 place_of(struct walk *w, struct r_walk *r, u64 *file)
{
	u64 srcref, chars;

	srcref = r_find(w, r->closure.attrib, R_SRCREF);
	if (!srcref || r_srcref(w, r, srcref) <= 0)
		return 0;
	chars = r_line_string(w, r, r->lines.file, R_FILENAME);
	if (!chars)
		return 0;
	if ((u8)r_element(w, r, chars, 0))
		*file = r_text(w, r, chars);
	return (u64)(*file ? R_LINE_FILE : R_LINE_TYPED) << 32 | r->lines.line;
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
