/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The pc of bytecode that runs natively, from the frame of the bytecode engine.
 *
 * Where the compiler keeps that variable differs from instruction to instruction; user
 * space has followed it through the code (tcl_track.c) and made ranges of it.  In a
 * gap between them it is not known, and the frame gets no line.
 */
#include "walkers/tcl/kernel/tcl_file.bpf.h"

/* The number of the last range that starts at or below an offset, by steps without a
 * branch that depends on the data (see native.bpf.c). */
static __always_inline u32 range_number(const struct tcl_file *f, u32 offset)
{
	u32 base = 0;

	for (u32 step = TCL_MAX_PC_RANGES / 2; step; step >>= 1) {
		u32 at = (base + step) & (TCL_MAX_PC_RANGES - 1);
		u64 start = f->pc_range[at].start, n = f->pc_ranges;
		u64 is_there, is_below;

		/* As numbers, or the compiler makes branches of them. */
		barrier_var(start);
		barrier_var(n);
		is_there = (s64)(at - n) >> 63;
		is_below = (s64)(start - offset - 1) >> 63;
		base += step & (u32)is_there & (u32)is_below;
	}
	return base & (TCL_MAX_PC_RANGES - 1);
}

int tcl_engine_pc(struct walk *w)
{
	const struct tcl_pc_range *r;
	const struct tcl_file *f;
	u32 offset;
	struct tcl_walk *t = tcl_current(w);
	struct pc_entry *e;
	u64 pc;

	f = tcl_file_here(w, &e);
	if (!t || !f)
		return 0;
	t->lines.home = 0;
	/* Of a call, the address in the calling instruction. */
	offset = w->pc - !w->exact - e->bias - f->tebc_start;
	r = &f->pc_range[range_number(f, offset)];
	if (!f->pc_ranges || offset < r->start || offset >= r->end)
		return 0;
	if (r->finishing)
		t->lines.home = TCL_PC_OF_COMMAND;
	else if (!tcl_role(w, &r->role, &pc))
		t->lines.home = pc + r->add;
	return 0;
}
