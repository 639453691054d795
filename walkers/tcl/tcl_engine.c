/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * tcl_track knows the place at nearly each instruction.  Where it understands
 * nothing (code that was not optimised), the one place that tcl_home finds is good
 * for all of the engine.  A part in which the place is not known gets none: a frame
 * there has no line rather than a wrong one.
 */
#include "walkers/tcl/tcl_engine.h"

#include <stdint.h>

#include "user/target/module.h"
#include "walkers/tcl/tcl.h"
#include "walkers/tcl/tcl_home.h"
#include "walkers/tcl/tcl_track.h"

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

void tcl_engine_fill(struct tcl_file *file, const struct module *m)
{
	const struct module_function tebc = { .start = file->tebc_start,
					      .end = file->tebc_end };
	struct tcl_track_range all = { .start = tebc.start, .end = tebc.end };
	struct tcl_track track;

	file->pc_ranges = 0;
	if (!tcl_track_find(&track, m, &tebc)) {
		for (size_t i = 0;
		     i < track.n && file->pc_ranges < TCL_MAX_PC_RANGES; i++)
			add(file, &track.range[i]);
		tcl_track_release(&track);
	} else if (!tcl_home_find(m, &tebc, &all.role)) {
		add(file, &all);
	}
}
