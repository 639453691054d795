/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the pc of the bytecode engine is, at each of its instructions. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_TRACK_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_TRACK_H

#include "walkers/tcl/tcl.h"

struct module;

/*
 * In each range, and until a call made there returns, the address of the bytecode that is
 * executed is what the role holds, plus add; or an invoked command is being finished.
 * Between the ranges, which are sorted, it is not known: a frame there has no line rather
 * than a wrong one.  Returns their number; 0: the
 * engine's dispatch is not understood.
 */
u32 tcl_track_find(struct tcl_pc_range range[TCL_MAX_PC_RANGES],
		   const struct module *m, u64 tebc);

#endif
