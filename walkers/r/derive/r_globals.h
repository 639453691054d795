/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R's global variables: where a file has them, where a process has them.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_GLOBALS_H
#define JPBPF_WALKERS_R_DERIVE_R_GLOBALS_H

#include <sys/types.h>

#include <jpbpf/types.h>

struct module;
struct r_slots;

enum r_global {
	R_GLOBAL_CONTEXT,
	R_GLOBAL_NODE_STACK_END,
	R_GLOBAL_NODE_STACK_TOP,
	R_GLOBAL_NIL,
	R_GLOBAL_ENV,
	R_GLOBAL_BASE_ENV,
	R_GLOBAL_BASE_NAMESPACE,
	R_GLOBAL_UNBOUND,
	R_GLOBAL_SRCREF,
	R_GLOBAL_PROTECTED,
	R_GLOBAL_PROTECTED_TOP,
	R_GLOBAL_FUN_TAB,
	R_GLOBAL_IN_BC,
	R_GLOBAL_COUNT
};

struct r_variable {
	u64 vaddr; /* of the symbol; 0: not exported */
	u64 slot;  /* vaddr of the GOT slot that points to it; 0: none */
};

struct r_globals {
	struct r_variable at[R_GLOBAL_COUNT];
};

void r_globals_find(struct r_globals *g, const struct module *m,
		    const struct r_slots *slots);
/* The name of a variable, for messages. */
const char *r_globals_name(enum r_global which);

/* Address of the variable in a process, and its value. 0; -ENOENT when the file
 * does not export it; -errno of the read. */
int r_globals_address(const struct r_globals *g, enum r_global which, pid_t pid,
		      u64 bias, u64 *address);
int r_globals_value(const struct r_globals *g, enum r_global which, pid_t pid,
		    u64 bias, u64 *value);

#endif
