/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * All of them are exported data (src/include/Rinternals.h, Rinterface.h and
 * Defn.h: LibExtern).  In a process the GOT slot decides, see r_slots.h; a
 * static R has no slots for them and uses its own symbols.
 */
#include "walkers/r/derive/r_globals.h"

#include <errno.h>
#include <string.h>

#include "user/target/memory.h"
#include "user/elf/module.h"
#include "walkers/r/derive/r_slots.h"

static const char *const names[R_GLOBAL_COUNT] = {
	[R_GLOBAL_CONTEXT] = "R_GlobalContext",
	[R_GLOBAL_NODE_STACK_END] = "R_BCNodeStackEnd",
	[R_GLOBAL_NODE_STACK_TOP] = "R_BCNodeStackTop",
	[R_GLOBAL_NIL] = "R_NilValue",
	[R_GLOBAL_ENV] = "R_GlobalEnv",
	[R_GLOBAL_BASE_ENV] = "R_BaseEnv",
	[R_GLOBAL_BASE_NAMESPACE] = "R_BaseNamespace",
	[R_GLOBAL_UNBOUND] = "R_UnboundValue",
	[R_GLOBAL_SRCREF] = "R_Srcref",
	[R_GLOBAL_PROTECTED] = "R_PPStack",
	[R_GLOBAL_PROTECTED_TOP] = "R_PPStackTop",
	[R_GLOBAL_FUN_TAB] = "R_FunTab",
	[R_GLOBAL_IN_BC] = "R_InBCInterpreter",
};

const char *r_globals_name(enum r_global which)
{
	return names[which];
}

void r_globals_find(struct r_globals *g, const struct module *m,
		    const struct r_slots *slots)
{
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; i < R_GLOBAL_COUNT; i++) {
		struct r_variable *v = &g->at[i];

		if (module_dynsym(m, names[i], &v->vaddr, NULL))
			v->vaddr = 0;
		else
			v->slot = r_slots_slot(slots, v->vaddr);
	}
}

int r_globals_address(const struct r_globals *g, enum r_global which, pid_t pid,
		      u64 bias, u64 *address)
{
	const struct r_variable *v = &g->at[which];

	if (!v->vaddr)
		return -ENOENT;
	if (v->slot)
		return memory_read_u64(pid, v->slot + bias, address);
	*address = v->vaddr + bias;
	return 0;
}

int r_globals_value(const struct r_globals *g, enum r_global which, pid_t pid,
		    u64 bias, u64 *value)
{
	u64 address;
	int err;

	err = r_globals_address(g, which, pid, bias, &address);
	return err ? err : memory_read_u64(pid, address, value);
}
