/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the fields are, by version of Tcl. */
#ifndef JPBPF_WALKERS_TCL_LAYOUTS_H
#define JPBPF_WALKERS_TCL_LAYOUTS_H

#include <jpbpf/types.h>

#include "walkers/tcl/tcl.h"

struct tcl_layout_row {
	u32 first, last; /* versions, both included, as in struct tcl_file */
	struct tcl_layout layout;
	/* What only the proofs of user space look at. */
	s16 interp_handle, ns_interp;
};

/* The row for a version, or NULL when nobody has looked at that one. */
const struct tcl_layout_row *tcl_layouts_find(u32 version);

#endif
