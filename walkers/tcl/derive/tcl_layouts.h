/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the fields are, by version of Tcl. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_LAYOUTS_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_LAYOUTS_H

#include <stdbool.h>

#include <jpbpf/types.h>

#include "walkers/tcl/tcl.h"

struct tcl_layout_row {
	u32 first, last; /* versions, both included, as in struct tcl_file */
	u32 seen;	 /* the newest of them that was looked at */
	struct tcl_layout layout;
	/* What only user space looks at. */
	s16 interp_handle, ns_interp, ns_commands, interp_thread;
};

/* The row for a version; else the nearest, for one from 8.5 on; else NULL. */
const struct tcl_layout_row *tcl_layouts_find(u32 version);
/* Whether somebody has looked at this version, or at one on either side of it.  If not,
 * a row for it is a guess and needs the whole proof (tcl_proof.c). */
bool tcl_layouts_known(const struct tcl_layout_row *row, u32 version);

#endif
