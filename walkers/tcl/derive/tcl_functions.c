/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A callback is pushed by its address, so the function that pushes it contains
 * that address.
 *
 * TEBCresume (generic/tclExecute.c, core-8-6-13), by far the largest function
 * of Tcl, is pushed by TclNRExecuteByteCode, which TclNRInterpProcCore calls;
 * and it pushes itself whenever it calls a command.
 *
 * Dispatch (generic/tclBasic.c) is the first callback that Tcl_NRCallObjProc
 * pushes; EvalObjvCore, one of the two that TclNREvalObjv pushes, must push it
 * too. 8.6.0 and 8.6.1 have no Dispatch.
 */
#include "walkers/tcl/derive/tcl_functions.h"

#include <errno.h>
#include <stdbool.h>

#include "user/elf/module.h"
#include "arch/x86_64/refs.h"
#include "walkers/tcl/derive/tcl_stubs.h"

static bool makes(const struct module *m, u64 vaddr, u64 address)
{
	struct refs made;

	refs_made(&made, m, vaddr);
	return refs_has(&made, address);
}

u64 tcl_functions_exported(const struct module *m, const char *name, u64 table,
			   u32 slot)
{
	u64 vaddr;

	if (!module_dynsym(m, name, &vaddr, NULL))
		return vaddr;
	return table ? tcl_stubs_slot(m, table, slot) : 0;
}

static bool larger(const struct module_function *a,
		   const struct module_function *b)
{
	return a->end - a->start > b->end - b->start;
}

/* Of the functions that the one at vaddr pushes, the largest that pushes itself
 * too; kept in *tebc if larger than what is there. */
static void find_pushed(const struct module *m, u64 vaddr,
			struct module_function *tebc)
{
	struct module_function f;
	struct refs made;

	refs_made(&made, m, vaddr);
	for (size_t i = 0; i < made.n; i++)
		if (!module_function_at(m, made.at[i], &f) &&
		    larger(&f, tebc) && makes(m, f.start, f.start))
			*tebc = f;
}

int tcl_functions_tebc(const struct module *m, const struct tcl_stubs *s,
		       struct module_function *tebc)
{
	u64 core =
		tcl_functions_exported(m, "TclNRInterpProcCore", s->internal,
				       TCL_SLOT_INTERNAL_NR_INTERP_PROC_CORE);
	struct refs called;

	*tebc = (struct module_function){ 0 };
	find_pushed(m, core, tebc);
	refs_called(&called, m, core);
	for (size_t i = 0; i < called.n; i++)
		find_pushed(m, called.at[i], tebc);
	return tebc->end ? 0 : -ENOENT;
}

/* Does one of the functions whose address the function at vaddr makes, make
 * address? */
static bool passes_on(const struct module *m, u64 vaddr, u64 address)
{
	struct refs made;

	refs_made(&made, m, vaddr);
	for (size_t i = 0; i < made.n; i++)
		if (makes(m, made.at[i], address))
			return true;
	return false;
}

/* The same of TclNREvalObjv; a build without symbols shows it as what the
 * public Tcl_NREvalObjv calls, or has become. */
static bool evaluator_passes_on(const struct module *m,
				const struct tcl_stubs *s, u64 address)
{
	u64 public = tcl_stubs_slot(m, s->table, TCL_SLOT_NR_EVAL_OBJV), eval;
	struct refs called;

	if (!module_dynsym(m, "TclNREvalObjv", &eval, NULL))
		return passes_on(m, eval, address);
	if (passes_on(m, public, address))
		return true;
	refs_called(&called, m, public);
	for (size_t i = 0; i < called.n; i++)
		if (passes_on(m, called.at[i], address))
			return true;
	return false;
}

u64 tcl_functions_dispatch(const struct module *m, const struct tcl_stubs *s)
{
	struct refs made;

	refs_made(&made, m,
		  tcl_functions_exported(m, "Tcl_NRCallObjProc", s->table,
					 TCL_SLOT_NR_CALL_OBJ_PROC));
	return made.n && evaluator_passes_on(m, s, made.at[0]) ? made.at[0] : 0;
}
