/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions of Tcl that have no symbol, found from those that have one. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_FUNCTIONS_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_FUNCTIONS_H

#include <stddef.h>

#include "walkers/tcl/tcl.h"

struct module;
struct module_function;
struct tcl_stubs;

/* TEBCresume, the bytecode engine. 0 / -ENOENT. */
int tcl_functions_tebc(const struct module *m, const struct tcl_stubs *s,
		       struct module_function *tebc);
/* Dispatch, which runs C commands; 0: there is none, or it cannot be told. */
u64 tcl_functions_dispatch(const struct module *m, const struct tcl_stubs *s);

/* Functions that stand between the evaluator and a command's own: their number; the others
 * stay as they are. */
size_t tcl_functions_wrappers(const struct module *m, const struct tcl_stubs *s,
			      struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS]);

#endif
