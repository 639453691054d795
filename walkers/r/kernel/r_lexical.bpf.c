/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which frames are the lexical callers of the innermost one (--lexical): those that
 * Rprof(filter.callframes = TRUE) would show.
 *
 * A function is called in some environment (sysparent), mostly in that of the frame around
 * it.  But an argument is evaluated where it is needed first, in the environment of the
 * function that wrote it.  What the argument calls stands inward of all functions that only
 * handed it on.  The lexical caller of a function is the next frame outward whose own
 * environment (cloenv) is the function's sysparent (src/main/eval.c, findProfContext,
 * R-4-2-2).  If there is none, as for a call in the global environment, only the outermost
 * frame of all still counts.  User space adds it, because user space knows which one it is.
 */
#include "walkers/r/kernel/r.bpf.h"

int r_lexical(struct walk *w)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	if (r->caller && r->caller != r_field(w, r, r->p.layout.cloenv)) {
		walk_push(w, frame_walker(WALKER_R, 0, R_ASIDE, 0));
		return 0;
	}
	r->caller = r_field(w, r, r->p.layout.sysparent);
	/* 0 would mean "any frame"; r->p.nil matches none. */
	if (!r->caller)
		r->caller = r->p.nil;
	return 0;
}
