/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * tcl_track knows the place at nearly each instruction.  A part in which the place is
 * not known gets none: a frame there has no line rather than a wrong one.
 *
 * TclEvalEx has no symbol; it is what Tcl_EvalEx calls (generic/tclBasic.c,
 * core-8-6-13).  Before 8.6 it evaluates parts of a file for `uplevel` as well.
 */
#include "walkers/tcl/derive/tcl_engine.h"

#include <stdint.h>
#include <stdlib.h>

#include <jpbpf/unwind.h>

#include "user/elf/module.h"
#include "walkers/tcl/tcl.h"
#include "arch/x86_64/code.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/tcl/derive/tcl_functions.h"
#include "walkers/tcl/derive/tcl_keeper.h"
#include "walkers/tcl/derive/tcl_track.h"

#define SLOT_EVAL_EX 291 /* generic/tclDecls.h */

static void add(struct tcl_file *file, const struct tcl_track_range *r)
{
	u64 size = file->tebc_end - file->tebc_start;
	struct tcl_pc_range *p = &file->pc_range[file->pc_ranges];

	if (r->start < file->tebc_start || r->end > file->tebc_end ||
	    size > UINT32_MAX || r->add < INT16_MIN || r->add > INT16_MAX)
		return;
	*p = (struct tcl_pc_range){
		.start = r->start - file->tebc_start,
		.end = r->end - file->tebc_start,
		.role = r->role,
		.add = r->add,
		.finishing = r->finishing,
	};
	file->pc_ranges++;
}

static void find_eval(struct tcl_found *t, const struct module *m)
{
	u64 from = tcl_functions_exported(m, "Tcl_EvalEx", t->stubs.table,
					  SLOT_EVAL_EX);
	struct tcl_keeper k;
	struct code c;
	u64 to = 0;

	if (tcl_functions_open(m, from, &c))
		return;
	for (size_t i = 0; i < c.n && !to; i++)
		if (c.insn[i].target < c.start || c.insn[i].target >= c.end)
			to = c.insn[i].target;
	code_release(&c);
	if (tcl_functions_open(m, to, &c))
		return;
	if (!tcl_keeper_find(&k, &c, m, &t->row->layout, true)) {
		if (!tcl_keeper_mark(&k, &c, &t->trampolines,
				     UNWIND_MARK_LINES))
			t->file.eval_size = c.end - c.start;
		t->file.eval_start = c.start;
		t->file.eval_frame = k.role;
		free(k.holds);
	}
	code_release(&c);
}

void tcl_engine_fill(struct tcl_found *t, const struct module *m)
{
	struct tcl_file *file = &t->file;
	const struct module_function tebc = { .start = file->tebc_start,
					      .end = file->tebc_end };
	struct tcl_track track;

	file->pc_ranges = 0;
	if (!tcl_track_find(&track, m, &tebc)) {
		for (size_t i = 0;
		     i < track.n && file->pc_ranges < TCL_MAX_PC_RANGES; i++)
			add(file, &track.range[i]);
		tcl_track_release(&track);
	}
	if (!file->recursion.calls && !file->eval_size)
		find_eval(t, m);
}
