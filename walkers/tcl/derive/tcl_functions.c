/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function that pushes a callback has the callback's address in its code.
 *
 * TEBCresume (generic/tclExecute.c, core-8-6-13) is by far the largest function of Tcl.
 * TclNRExecuteByteCode, which TclNRInterpProcCore calls, pushes it.  TEBCresume pushes
 * itself whenever it calls a command.
 *
 * Dispatch (generic/tclBasic.c) is the first callback that Tcl_NRCallObjProc pushes.
 * 8.6.0 and 8.6.1 have no Dispatch.
 *
 * Tcl 9 has two kinds of command procedures: the count of arguments is an int or a
 * Tcl_Size.  A command of one kind is made as a command of the other kind, with a wrapper
 * as its procedure.  The wrapper's client data hold the command's own procedure
 * (generic/tclBasic.c, core-9-0-1: Tcl_CreateObjCommand2 and cmdWrapperProc,
 * Tcl_NRCreateCommand2 and cmdWrapperNreProc; in 9.1 the functions without the 2 use
 * wrappers).
 *
 * A wrapper is recognised by three facts: one of these functions makes its address; it
 * reads two words of its client data, the command's client data and the procedure, and
 * nothing else; it calls or jumps to an address in a register.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include "arch/code.h"
#include "arch/refs.h"

static bool pushes_itself(const struct module *m, u64 vaddr)
{
	struct refs made = refs_of(m, vaddr, REFS_MADE);

	return refs_has(&made, vaddr);
}

/* Looks at the functions that the function at vaddr pushes and that push themselves.  The
 * largest of them becomes *tebc if it is larger than *tebc. */
static void find_pushed(const struct module *m, u64 vaddr,
			struct module_function *tebc)
{
	struct refs made = refs_of(m, vaddr, REFS_MADE);
	struct module_function f;

	for (size_t i = 0; i < made.n; i++)
		if (!module_function_at(m, made.at[i], &f) &&
		    f.end - f.start > tebc->end - tebc->start &&
		    pushes_itself(m, f.start))
			*tebc = f;
}

/* TEBCresume; empty if it is not found. */
static struct module_function find_tebc(const struct module *m,
					const struct tcl_stubs *s)
{
	u64 core = tcl_stubs_slot(m, s->internal,
				  TCL_SLOT_INTERNAL_NR_INTERP_PROC_CORE);
	struct module_function tebc = { 0 };
	struct refs called = refs_of(m, core, REFS_CALLED);

	find_pushed(m, core, &tebc);
	for (size_t i = 0; i < called.n; i++)
		find_pushed(m, called.at[i], &tebc);
	return tebc;
}

static u64 find_dispatch(const struct module *m, const struct tcl_found *t)
{
	u64 call = tcl_stubs_slot(m, t->stubs.table, TCL_SLOT_NR_CALL_OBJ_PROC);
	struct refs made = refs_of(m, call, REFS_MADE);

	return made.n && t->version.number >= 0x080602 ? made.at[0] : 0;
}

/* ---------------------------------------------------------- wrappers of Tcl 9 */

/* generic/tclBasic.c, core-9-0-1, CmdWrapperInfo: proc, clientData, nreProc. */
#define INFO_PROC     (1ull << 0)
#define INFO_DATA     (1ull << 1)
#define INFO_NRE_PROC (1ull << 4)

/* Whether the function is a wrapper; then *w is set. */
static bool is_wrapper(const struct module *m, u64 vaddr, struct tcl_wrapper *w)
{
	bool argument = true, indirect = false;
	struct code c;
	u64 words = 0; /* bit n: the bytes from 8 n on are read */

	if (code_decode_at(&c, m, vaddr))
		return false;
	for (size_t i = 0; i < c.n; i++) {
		const struct insn *in = &c.insn[i];
		const struct operand *from = &in->op[1];

		if (argument && in->what == INSN_MOV && from->plain &&
		    from->reg == REG_ARG0 && from->value >= 0 &&
		    from->value < 64 * 8)
			words |= 1ull << from->value / 8;
		argument &= !(in->writes >> REG_ARG0 & 1);
		indirect |= (in->what == INSN_CALL || in->what == INSN_JMP) &&
			    !in->target;
	}
	code_release(&c);
	*w = (struct tcl_wrapper){ .vaddr = vaddr };
	if (words == (INFO_DATA | INFO_NRE_PROC))
		w->proc = 32;
	return indirect && (words == (INFO_DATA | INFO_PROC) || w->proc);
}

static void find_wrappers(const struct module *m, const struct tcl_stubs *s,
			  struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS])
{
	static const u32 creators[] = {
		TCL_SLOT_CREATE_OBJ_COMMAND,
		TCL_SLOT_CREATE_OBJ_COMMAND_2,
		TCL_SLOT_NR_CREATE_COMMAND,
		TCL_SLOT_NR_CREATE_COMMAND_2,
	};
	struct refs made, seen = { .n = 0 };

	for (size_t i = 0; i < sizeof(creators) / sizeof(*creators); i++) {
		u64 creator = tcl_stubs_slot(m, s->table, creators[i]);

		made = refs_of(m, creator, REFS_MADE);
		for (size_t k = 0; k < made.n && seen.n < TCL_MAX_WRAPPERS; k++)
			if (!refs_has(&seen, made.at[k]) &&
			    is_wrapper(m, made.at[k], &wrapper[seen.n]))
				seen.at[seen.n++] = made.at[k];
	}
	for (size_t i = seen.n; i < TCL_MAX_WRAPPERS; i++)
		wrapper[i] = (struct tcl_wrapper){ 0 };
}

const char *tcl_functions_find(struct tcl_found *t, const struct module *m)
{
	struct module_function tebc = find_tebc(m, &t->stubs);

	t->file.tebc_start = tebc.start;
	t->file.tebc_end = tebc.end;
	t->file.dispatch = find_dispatch(m, t);
	if (t->stubs.major >= 9)
		find_wrappers(m, &t->stubs, t->file.wrapper);
	return tebc.end ? NULL : "the bytecode engine was not found";
}
