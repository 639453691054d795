/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The data of probe(): all that the user side knows of one file with Tcl.  And the
 * functions that find its parts. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_FOUND_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_FOUND_H

#include <stdbool.h>
#include <stddef.h>

#include "user/elf/module.h"
#include "user/elf/pairs.h"
#include "walkers/tcl/tcl.h"
#include "walkers/walker.h"

struct code;

/* tcl_stubs.c: Tcl's stub tables, the one structure that every build has, stripped or
 * not. */

struct tcl_stubs {
	u64 table;    /* tclStubs, vaddr; an Interp points to it */
	u64 internal; /* tclIntStubs, vaddr; 0: unknown */
	u32 major;    /* 8 or 9 */
};

/* Slots of the table and of the internal one (generic/tclDecls.h and tclIntDecls.h). */
enum tcl_slot {
	TCL_SLOT_ADD_ERROR_INFO = 67,
	TCL_SLOT_CREATE_INTERP = 94,
	TCL_SLOT_CREATE_OBJ_COMMAND = 96,
	TCL_SLOT_GET_OBJ_RESULT = 166,
	TCL_SLOT_EVAL_EX = 291,
	TCL_SLOT_REGISTER_CONFIG = 505,
	TCL_SLOT_IS_ENSEMBLE = 540,
	TCL_SLOT_NR_CREATE_COMMAND = 583,
	TCL_SLOT_NR_CALL_OBJ_PROC = 588,
	TCL_SLOT_APPEND_ERROR_INFO = 574,
	/* 9.x only. */
	TCL_SLOT_CREATE_OBJ_COMMAND_2 = 676,
	TCL_SLOT_NR_CREATE_COMMAND_2 = 678,

	TCL_SLOT_INTERNAL_CREATE_PROC = 10,
	TCL_SLOT_INTERNAL_OBJ_INTERP_PROC = 63,
	TCL_SLOT_INTERNAL_CLEANUP_PROC = 91,
	TCL_SLOT_INTERNAL_OBJ_INTERP_PROC_CORE = 228, /* 8.5 only */
	TCL_SLOT_INTERNAL_NR_INTERP_PROC_CORE = 239,
};

/* 1: found; 0: this file defines no Tcl stub table. */
int tcl_stubs_find(const struct module *m, struct tcl_stubs *s);
/* The function in a slot of a table; 0: it is not one of this file's. */
u64 tcl_stubs_slot(const struct module *m, u64 table, u32 slot);
/* From the lowest to the highest function in all of Tcl's tables, and of those that are
 * exported; empty when there is none. */
void tcl_stubs_range(const struct module *m, const struct tcl_stubs *s,
		     struct module_function *range);

/* tcl_layouts.c: where the fields are, by version of Tcl. */

struct tcl_layout_row {
	const char *versions; /* "8.6.2 to 8.6.x" */
	u32 first;	      /* of them, as in struct tcl_version */
	u32 seen;	      /* the newest of them that was looked at */
	struct tcl_layout layout;
	/* What only user space looks at. */
	s16 interp_handle, ns_interp, ns_commands, interp_thread;
};

/* The row for a version; else the nearest, for one from 8.5 on; else NULL. */
const struct tcl_layout_row *tcl_layouts_find(u32 version);
/* Whether somebody has looked at this version, or at one on either side of it.  If not,
 * a row for it is a guess and needs the whole proof (tcl_proof.c). */
bool tcl_layouts_known(const struct tcl_layout_row *row, u32 version);

/* tcl_version.c: which Tcl a file contains. */

struct tcl_version {
	u32 number;    /* 0x080613: 8.6.13 */
	char text[16]; /* patch level: "8.6.13" */
};

/* major 0: any.  0; -ENOENT: no patch level; -EEXIST: several, and nothing
 * tells which is Tcl's. */
int tcl_version_find(const struct module *m, u32 major, struct tcl_version *v);
/* "8.6.13" to 0x080613; 0: not a version.  Alpha and beta count as patch 0. */
u32 tcl_version_number(const char *text);

#define TCL_MAX_RANGES 48

/* Each of the functions below that takes one fills in its part of it, from the stubs and
 * the row. */
struct tcl_found {
	struct tcl_stubs stubs;
	struct tcl_version version;
	const char *
		unknown; /* version.text, if nobody has looked at it; else NULL */
	struct pairs config;
	const struct tcl_layout_row *row;
	struct tcl_file file;
	/* Code whose frames the kernel side wants to see.  index: that of the trampoline;
	 * in a Tcl that recurses, as struct tcl_recursion says; UNWIND_MARK_LINES: what
	 * only lines need. */
	struct walker_mark range[TCL_MAX_RANGES];
	size_t n_ranges;
	/* A place that pops and runs a callback, of which the rest could not be
	 * proven, or for which there was no room: frames would be missed.  vaddr of
	 * the call; 0: there is none. */
	u64 unproven;
	/* Where Tcl's code is; all of it if empty. */
	struct module_function own;
	bool proven; /* the layout, on a live interpreter */
};

/* tcl_trampoline.c: every copy of TclNRRunCallbacks, and what it keeps where. */

/* 0, or -errno when the file's code cannot be read. */
int tcl_trampolines_find(struct tcl_found *t, const struct module *m);
/* Adds a range; false: there is no room. */
bool tcl_found_mark(struct tcl_found *t, u64 start, u64 end, u8 index);
/* Adds a range for each run of wanted instructions (wanted[] has one item for each), with
 * the filler in it; false: there is no room. */
bool tcl_found_mark_pieces(struct tcl_found *t, const struct code *c,
			   const u8 *wanted, u8 index);
/* The place as the kernel side sees it.  false: it cannot. */
bool tcl_role_of(s32 place, struct tcl_role *role);

/* tcl_functions.c: the bytecode engine and other functions that have no symbol, found
 * from those that are in the stub tables. */

/* NULL, or what was not found. */
const char *tcl_functions_find(struct tcl_found *t, const struct module *m);

/* tcl_registered.c: what an extension registers as its configuration. */

/* Takes the array of one package; package: "" if its name is not known. */
typedef void tcl_registered_fn(void *ctx, const char *package,
			       const struct pairs *p);
void tcl_registered(const struct module *m, tcl_registered_fn *add, void *ctx);

/* tcl_errors.c: where errors are raised. */

/* false: the code is not understood. */
bool tcl_errors_find(const struct tcl_found *t, const struct module *m,
		     struct walker_probe *probe);

/* tcl_calls.c: where calls begin and end.  call has room for TCL_CALL_KINDS.  Their number;
 * 0: the code is not understood. */
size_t tcl_calls_find(const struct tcl_found *t, const struct module *m,
		      struct walker_call *call);

/* tcl_watch.c: what a watchpoint on a Proc tells. */

/* Completes the place of that kind in the function at vaddr.  false: the code is not
 * understood. */
bool tcl_watch_find(const struct module *m, u64 vaddr,
		    struct walker_call *call);

/* tcl_commands.c: the commands that every interpreter has at first, but for ensembles. */
struct tcl_command {
	char name[32];
	u64 proc, stackless; /* its functions, vaddr; 0: it has none */
};

/* Calls fn for each until it returns true. */
void tcl_commands(const struct tcl_found *t, const struct module *m,
		  bool (*fn)(void *ctx, const struct tcl_command *c),
		  void *ctx);
/* Calls add for the function of each that Tcl calls. */
void tcl_builtins(const struct tcl_found *t, const struct module *m,
		  void (*add)(void *ctx, u64 vaddr, const char *name),
		  void *ctx);

/* tcl_recursive.c: the evaluator of a Tcl that recurses in C. */

/* NULL, or what was not found. */
const char *tcl_recursive_find(struct tcl_found *t, const struct module *m);

/* tcl_keeper.c: where a function keeps its CmdFrame. */

/* Looks at TclExecuteByteCode, or if path at TclEvalEx.  The CmdFrame of TclEvalEx counts
 * once the script's path is stored in it.  Sets *role to where its address is, and marks
 * all ranges in which it is there.  0; -ENOENT: c is another function, or it is not
 * understood; -ENOSPC: there is no room for all ranges. */
int tcl_keeper_find(struct tcl_found *t, struct tcl_role *role, u8 index,
		    struct code *c, const struct module *m, bool path);
/* Finds TclEvalEx. */
void tcl_keeper_eval(struct tcl_found *t, const struct module *m);

/* tcl_track.c: where the bytecode engine has its pc. */

/* Fills in sorted ranges of the engine's code.  In a range, and until a call made there
 * returns, role plus add is the address of the bytecode that is executed; or the engine
 * finishes an invoked command.  Between the ranges the pc is not known, and a frame has no
 * line.  Returns their number; 0: the engine's dispatch is not understood. */
u32 tcl_track_find(struct tcl_pc_range range[TCL_MAX_PC_RANGES],
		   const struct module *m, u64 tebc);

#endif
