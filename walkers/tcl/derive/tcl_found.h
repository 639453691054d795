/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* All that the user side knows of one file with Tcl: the data of probe(). */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_FOUND_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_FOUND_H

#include "user/elf/module.h"
#include "user/elf/pairs.h"
#include "walkers/tcl/tcl.h"
#include "walkers/tcl/derive/tcl_layouts.h"
#include "walkers/tcl/derive/tcl_stubs.h"
#include "walkers/tcl/derive/tcl_trampoline.h"
#include "walkers/tcl/derive/tcl_version.h"

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

#endif
