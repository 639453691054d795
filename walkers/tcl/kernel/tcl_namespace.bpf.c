/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * CallFrames of namespaces without bytecode at the end of a segment: the decision
 * whether they belong to the segment or to the next one outward.
 */
#include "walkers/tcl/kernel/tcl.bpf.h"

/*
 * Whether the CallFrame at t->gap belongs to the segment outside.  The segment of a
 * namespace's script has a callback for the script's end, whose first word is the
 * namespace (generic/tclNamesp.c, NRNamespaceEvalCmd, core-8-6-13).  If several frames
 * have one namespace, the outermost ones belong to the outer segment.
 */
int tcl_is_outside(struct walk *w)
{
	u64 frame, of, ns, flags;
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	frame = t->gap;
	of = tcl_at(t, t->l.frame_ns);
	/* Counted in memory, where the verifier does not follow the counts. */
	t->more_held = 0;
	for (u32 i = 0; i < TCL_HELD; i++) {
		if (i >= t->helds)
			break;
		t->more_held += t->held[i] == of;
	}
	if (!t->more_held)
		return 0;
	for (u32 i = 0; i < 2 * TCL_HELD; i++) {
		if (!frame || frame == t->wanted)
			break;
		if (walk_word(w, &ns, frame + t->l.frame_ns) ||
		    walk_word(w, &flags, frame + t->l.frame_flags) ||
		    walk_word(w, &frame, frame + t->l.frame_caller)) {
			walk_missing(w, TCL_READ);
			break;
		}
		if (flags & TCL_FRAME_PROC)
			break;
		t->more_held -= ns == of;
	}
	return t->more_held >= 0;
}
