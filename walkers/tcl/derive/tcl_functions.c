/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A callback is pushed by its address, so the function that pushes it contains
 * that address: a lea, or an immediate where code is loaded at a fixed address.
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
#include "arch/x86_64/code.h"
#include "walkers/tcl/derive/tcl_stubs.h"

static bool is_function(const struct module *m, u64 vaddr)
{
	struct module_function f;

	return vaddr && !module_function_at(m, vaddr, &f) && f.start == vaddr;
}

u64 tcl_functions_made(const struct insn *in)
{
	const struct operand *from = &in->op[1];

	if (in->what == INSN_LEA && from->kind == OPERAND_MEM &&
	    from->reg == REG_NONE)
		return from->value;
	if (in->what == INSN_MOV && from->kind == OPERAND_IMM)
		return from->value;
	return in->what == INSN_PUSH && in->op[0].kind == OPERAND_IMM
		       ? in->op[0].value
		       : 0;
}

int tcl_functions_open(const struct module *m, u64 vaddr, struct code *c)
{
	struct module_function f;

	if (!vaddr || module_function_at(m, vaddr, &f) || f.start != vaddr)
		return -ENOENT;
	return code_decode(c, m, &f);
}

/* The first function whose address the function at vaddr makes, or 0. */
static u64 first_made(const struct module *m, u64 vaddr)
{
	struct code c;
	u64 made = 0;

	if (tcl_functions_open(m, vaddr, &c))
		return 0;
	for (size_t i = 0; i < c.n && !made; i++)
		if (is_function(m, tcl_functions_made(&c.insn[i])))
			made = tcl_functions_made(&c.insn[i]);
	code_release(&c);
	return made;
}

static bool makes(const struct module *m, u64 vaddr, u64 address)
{
	bool found = false;
	struct code c;

	if (tcl_functions_open(m, vaddr, &c))
		return false;
	for (size_t i = 0; i < c.n && !found; i++)
		found = tcl_functions_made(&c.insn[i]) == address;
	code_release(&c);
	return found;
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
	struct code c;

	if (tcl_functions_open(m, vaddr, &c))
		return;
	for (size_t i = 0; i < c.n; i++) {
		u64 made = tcl_functions_made(&c.insn[i]);

		if (made && !module_function_at(m, made, &f) &&
		    f.start == made && larger(&f, tebc) && makes(m, made, made))
			*tebc = f;
	}
	code_release(&c);
}

int tcl_functions_tebc(const struct module *m, const struct tcl_stubs *s,
		       struct module_function *tebc)
{
	u64 core =
		tcl_functions_exported(m, "TclNRInterpProcCore", s->internal,
				       TCL_SLOT_INTERNAL_NR_INTERP_PROC_CORE);
	struct code c;

	*tebc = (struct module_function){ 0 };
	if (tcl_functions_open(m, core, &c))
		return -ENOENT;
	find_pushed(m, core, tebc);
	for (size_t i = 0; i < c.n; i++)
		if (c.insn[i].target < c.start || c.insn[i].target >= c.end)
			find_pushed(m, c.insn[i].target, tebc);
	code_release(&c);
	return tebc->end ? 0 : -ENOENT;
}

/* Does one of the functions whose address the function at vaddr makes, make
 * address? */
static bool passes_on(const struct module *m, u64 vaddr, u64 address)
{
	bool found = false;
	struct code c;

	if (tcl_functions_open(m, vaddr, &c))
		return false;
	for (size_t i = 0; i < c.n && !found; i++)
		found = makes(m, tcl_functions_made(&c.insn[i]), address);
	code_release(&c);
	return found;
}

/* The same of TclNREvalObjv; a build without symbols shows it as what the
 * public Tcl_NREvalObjv calls, or has become. */
static bool evaluator_passes_on(const struct module *m,
				const struct tcl_stubs *s, u64 address)
{
	u64 public = tcl_stubs_slot(m, s->table, TCL_SLOT_NR_EVAL_OBJV), eval;
	struct code c;
	bool found;

	if (!module_dynsym(m, "TclNREvalObjv", &eval, NULL))
		return passes_on(m, eval, address);
	found = passes_on(m, public, address);
	if (found || tcl_functions_open(m, public, &c))
		return found;
	for (size_t i = 0; i < c.n && !found; i++)
		found = passes_on(m, c.insn[i].target, address);
	code_release(&c);
	return found;
}

u64 tcl_functions_dispatch(const struct module *m, const struct tcl_stubs *s)
{
	u64 caller = tcl_functions_exported(m, "Tcl_NRCallObjProc", s->table,
					    TCL_SLOT_NR_CALL_OBJ_PROC);
	u64 dispatch = first_made(m, caller);

	return dispatch && evaluator_passes_on(m, s, dispatch) ? dispatch : 0;
}
