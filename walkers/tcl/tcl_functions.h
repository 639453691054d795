/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions of Tcl that have no symbol, found from those that have one. */
#ifndef JPBPF_WALKERS_TCL_FUNCTIONS_H
#define JPBPF_WALKERS_TCL_FUNCTIONS_H

#include <jpbpf/types.h>

struct module;
struct module_function;
struct tcl_stubs;

/* TEBCresume, the bytecode engine. 0 / -ENOENT. */
int tcl_functions_tebc(const struct module *m, const struct tcl_stubs *s,
		       struct module_function *tebc);
/* Dispatch, which runs C commands; 0: there is none, or it cannot be told. */
u64 tcl_functions_dispatch(const struct module *m, const struct tcl_stubs *s);

#endif
