/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The evaluator of a Tcl that recurses in C: its functions, and what they keep where. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_RECURSIVE_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_RECURSIVE_H

#include "walkers/tcl/tcl.h"

struct module;
struct module_function;
struct tcl_stubs;
struct tcl_trampolines;

/*
 * All of it.  Sets *tebc, *r, and the ranges of *t, whose indexes are those of struct
 * tcl_recursion.  0; -ENOENT with *why saying what was not found.
 */
int tcl_recursive_find(struct tcl_recursion *r, struct tcl_trampolines *t,
		       struct module_function *tebc, const struct module *m,
		       const struct tcl_stubs *s, const struct tcl_layout *l,
		       const char **why);

#endif
