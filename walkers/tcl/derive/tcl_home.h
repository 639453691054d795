/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the bytecode engine keeps its pc, the address of the bytecode that it
 * executes. */
#ifndef JPBPF_WALKERS_TCL_DERIVE_TCL_HOME_H
#define JPBPF_WALKERS_TCL_DERIVE_TCL_HOME_H

struct module;
struct module_function;
struct tcl_role;

/* Where TEBCresume keeps its pc across calls: TCL_ROLE_REG, _RSP (rsp as it is
 * after the prologue) or _RBP.  0, or -ENOENT when it cannot be told with
 * certainty. */
int tcl_home_find(const struct module *m, const struct module_function *tebc,
		  struct tcl_role *home);

#endif
