/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the bytecode engine of a Tcl that recurses in C keeps its CmdFrame. */
#ifndef JPBPF_WALKERS_TCL_KEEPER_H
#define JPBPF_WALKERS_TCL_KEEPER_H

#include "walkers/tcl/tcl.h"

struct module;
struct tcl_code;

struct tcl_keeper {
	struct tcl_role role; /* the CmdFrame's address */
	/* Is it there?  For each instruction: before it, and while it lasts.  The
	 * caller frees. */
	u8 *holds;
};

/* 0; -ENOENT: the function is not TclExecuteByteCode, or it is not understood. */
int tcl_keeper_find(struct tcl_keeper *k, const struct tcl_code *c,
		    const struct module *m, const struct tcl_layout *l);

#endif
