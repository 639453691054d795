/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The data of probe(): all that the user side knows of one file with Tcl.  And the
 * functions that find its parts. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_FOUND_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_FOUND_H

#include "user/elf/module.h"
#include "user/elf/pairs.h"
#include "walkers/tcl/tcl.h"
#include "walkers/tcl/derive/tcl_layouts.h"
#include "walkers/tcl/derive/tcl_stubs.h"
#include "walkers/tcl/derive/tcl_trampoline.h"
#include "walkers/tcl/derive/tcl_version.h"

struct code;

struct tcl_found {
	struct tcl_stubs stubs;
	struct tcl_version version;
	struct pairs config;
	const struct tcl_layout_row *row;
	struct tcl_trampolines trampolines;
	/* Where Tcl's code is; all of it if empty. */
	struct module_function own;
	struct tcl_file file;
	bool proven; /* the layout, on a live interpreter */
};

/* tcl_functions.c: functions that have no symbol, found from those that have one. */

/* Sets *tebc to TEBCresume, the bytecode engine.  0 or -ENOENT. */
int tcl_functions_tebc(const struct module *m, const struct tcl_stubs *s,
		       struct module_function *tebc);
/* The vaddr of Dispatch, which runs C commands; 0: there is none, or it is not found. */
u64 tcl_functions_dispatch(const struct module *m, const struct tcl_stubs *s);
/* Fills in the functions that stand between the evaluator and a command's own.  Returns
 * their number; the other elements stay as they are. */
size_t tcl_functions_wrappers(const struct module *m, const struct tcl_stubs *s,
			      struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS]);

/* tcl_recursive.c: the evaluator of a Tcl that recurses in C. */

/* Sets *tebc, *r, and the ranges of *t, whose indexes are those of struct tcl_recursion.
 * 0; -ENOENT: *why says what was not found. */
int tcl_recursive_find(struct tcl_recursion *r, struct tcl_trampolines *t,
		       struct module_function *tebc, const struct module *m,
		       const struct tcl_stubs *s, const struct tcl_layout *l,
		       const char **why);

/* tcl_keeper.c: where a function keeps its CmdFrame. */

struct tcl_keeper {
	struct tcl_role role; /* the CmdFrame's address */
	/* For each instruction, 1: the role is right before the instruction and while
	 * it lasts.  The caller frees the array. */
	u8 *holds;
};

/* Looks at TclExecuteByteCode, or if path at TclEvalEx.  The CmdFrame of TclEvalEx counts
 * once the script's path is stored in it.  0; -ENOENT: c is another function, or it is
 * not understood. */
int tcl_keeper_find(struct tcl_keeper *k, struct code *c,
		    const struct module *m, const struct tcl_layout *l,
		    bool path);
/* Marks all ranges in which the role is right.  0; -ENOENT: there is no room. */
int tcl_keeper_mark(const struct tcl_keeper *k, const struct code *c,
		    struct tcl_trampolines *t, u8 index);
/* Fills in the part of a file's data that is about TclEvalEx, and marks its ranges. */
void tcl_keeper_eval(struct tcl_found *t, const struct module *m);

/* tcl_track.c: where the bytecode engine has its pc. */

/* Fills in sorted ranges of the engine's code.  In a range, and until a call made there
 * returns, role plus add is the address of the bytecode that is executed; or the engine
 * finishes an invoked command.  Between the ranges the pc is not known, and a frame has no
 * line.  Returns their number; 0: the engine's dispatch is not understood. */
u32 tcl_track_find(struct tcl_pc_range range[TCL_MAX_PC_RANGES],
		   const struct module *m, u64 tebc);

#endif
