/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * tcl_track knows the place at nearly each instruction.  A part in which the place is
 * not known gets none: a frame there has no line rather than a wrong one.
 *
 * TclEvalEx has no symbol; it is what Tcl_EvalEx calls (generic/tclBasic.c,
 * core-8-6-13).  Before 8.6 it evaluates parts of a file for `uplevel` as well.
 */
#include "walkers/tcl/derive/tcl_engine.h"

#include <stdlib.h>

#include <jpbpf/unwind.h>

#include "user/elf/module.h"
#include "walkers/tcl/tcl.h"
#include "arch/x86_64/code.h"
#include "arch/x86_64/refs.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/tcl/derive/tcl_functions.h"
#include "walkers/tcl/derive/tcl_keeper.h"
#include "walkers/tcl/derive/tcl_track.h"

#define SLOT_EVAL_EX 291 /* generic/tclDecls.h */

static void find_eval(struct tcl_found *t, const struct module *m)
{
	struct tcl_keeper k;
	struct refs called;
	struct code c;

	refs_called(&called, m,
		    tcl_functions_exported(m, "Tcl_EvalEx", t->stubs.table,
					   SLOT_EVAL_EX));
	if (!called.n || code_decode_at(&c, m, called.at[0]))
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

	file->pc_ranges = tcl_track_find(
		file->pc_range, m,
		&(struct module_function){ .start = file->tebc_start,
					   .end = file->tebc_end });
	if (!file->recursion.calls && !file->eval_size)
		find_eval(t, m);
}
