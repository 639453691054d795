/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where a function of Tcl keeps its CmdFrame: the bytecode engine of a Tcl that recurses
 * in C, or what evaluates a script without bytecode.
 */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_KEEPER_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_KEEPER_H

#include <stdbool.h>

#include "walkers/tcl/tcl.h"

struct module;
struct code;
struct tcl_found;
struct tcl_trampolines;

struct tcl_keeper {
	struct tcl_role role; /* the CmdFrame's address */
	/* Whether it is there, for each instruction: before it, and while it lasts.  The
	 * caller frees. */
	u8 *holds;
};

/* Of TclExecuteByteCode, or if path, of TclEvalEx once it has stored the script's path.
 * 0; -ENOENT: the function is not that one, or it is not understood. */
int tcl_keeper_find(struct tcl_keeper *k, struct code *c,
		    const struct module *m, const struct tcl_layout *l,
		    bool path);
/* Mark all ranges in which the CmdFrame is there. -ENOENT: there is no room. */
int tcl_keeper_mark(const struct tcl_keeper *k, const struct code *c,
		    struct tcl_trampolines *t, u8 index);
/* Fill the part of a file's data that is about TclEvalEx, and mark it. */
void tcl_keeper_eval(struct tcl_found *t, const struct module *m);

#endif
