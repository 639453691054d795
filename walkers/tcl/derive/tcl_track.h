/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the pc of the bytecode engine is, at each of its instructions. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_TRACK_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "walkers/tcl/tcl.h"

struct module;
struct module_function;

/* In [start, end), and until a call made there returns, the address of the
 * bytecode that is executed is what role holds, plus add. */
struct tcl_track_range {
	u64 start, end;	      /* vaddr */
	struct tcl_role role; /* TCL_ROLE_REG or _CFA */
	s32 add;	      /* bytes */
	/* Nothing of the above: an invoked command is being finished, and
	 * TD.cmdFrame.data.tebc.pc is the address. */
	bool finishing;
};

struct tcl_track {
	/* Sorted.  Between them it is not known. */
	struct tcl_track_range *range;
	size_t n;
};

/* 0; -ENOENT when the engine's dispatch is not understood. */
int tcl_track_find(struct tcl_track *t, const struct module *m,
		   const struct module_function *tebc);
void tcl_track_release(struct tcl_track *t);

#endif
