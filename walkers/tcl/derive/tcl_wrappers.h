/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions of Tcl that stand between the evaluator and a command's own. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_WRAPPERS_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_WRAPPERS_H

#include <stddef.h>

#include "walkers/tcl/tcl.h"

struct module;
struct tcl_stubs;

/* The number found; the others are zero. */
size_t tcl_wrappers_find(const struct module *m, const struct tcl_stubs *s,
			 struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS]);

#endif
