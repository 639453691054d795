/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Finding every copy of TclNRRunCallbacks in a file, and what it keeps where.
 * */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_TRAMPOLINE_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_TRAMPOLINE_H

#include <stdbool.h>

#include "walkers/tcl/tcl.h"

struct module;

#define TCL_MAX_RANGES 48

/* Where frames of a trampoline are met: its function, or a piece of its loop.
 * */
struct tcl_range {
	u64 start, end; /* vaddr */
	u8 index;	/* in found */
};

struct tcl_trampolines {
	struct tcl_trampoline found[TCL_MAX_TRAMPOLINES];
	u32 n;
	struct tcl_range range[TCL_MAX_RANGES];
	u32 n_ranges;
	/* Places that pop and run a callback, of which the rest could not be
	 * proven, or for which there was no room: frames would be missed. */
	u32 unproven;
	u64 unproven_at; /* vaddr of the first one's call */
};

/* Mark one range; false: there is no room. */
bool tcl_trampolines_mark(struct tcl_trampolines *t, u64 start, u64 end,
			  u8 index);
/* The place as the kernel side sees it.  false: it cannot. */
bool tcl_role_of(s32 place, struct tcl_role *role);

/* 0, or -errno when the file's code cannot be read. */
int tcl_trampolines_find(struct tcl_trampolines *t, const struct module *m,
			 const struct tcl_layout *l);

#endif
