/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Tcl's stub tables: the one structure that every build has, stripped or not.
 * */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_STUBS_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_STUBS_H

#include <jpbpf/types.h>

struct module;
struct module_function;

struct tcl_stubs {
	u64 table;    /* tclStubs, vaddr; an Interp points to it */
	u64 internal; /* tclIntStubs, vaddr; 0: unknown */
	u32 major;    /* 8 or 9 */
};

/* generic/tclDecls.h and tclIntDecls.h: the same from 8.6.0 to 9.1.0. */
enum tcl_slot {
	TCL_SLOT_CREATE_OBJ_COMMAND = 96,
	TCL_SLOT_NR_CREATE_COMMAND = 583,
	TCL_SLOT_NR_EVAL_OBJV = 585,
	TCL_SLOT_NR_CALL_OBJ_PROC = 588,
	/* 9.x only. */
	TCL_SLOT_CREATE_OBJ_COMMAND_2 = 676,
	TCL_SLOT_NR_CREATE_COMMAND_2 = 678,
};
#define TCL_SLOT_INTERNAL_NR_INTERP_PROC_CORE 239

/* 1: found; 0: this file defines no Tcl stub table. */
int tcl_stubs_find(const struct module *m, struct tcl_stubs *s);
/* The function in a slot of a table; 0: it is not one of this file's. */
u64 tcl_stubs_slot(const struct module *m, u64 table, u32 slot);
/* From the lowest to the highest function in all of Tcl's tables, and of those that are
 * exported; empty when there is none. */
void tcl_stubs_range(const struct module *m, const struct tcl_stubs *s,
		     struct module_function *range);

#endif
