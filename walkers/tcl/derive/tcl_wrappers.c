/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tcl 9 has two kinds of command procedures, whose counts of arguments are int
 * and Tcl_Size.  Commands of the one kind are made with the other's function,
 * a wrapper, whose client data hold the command's own procedure
 * (generic/tclBasic.c, core-9-0-1: Tcl_CreateObjCommand2 and cmdWrapperProc,
 * Tcl_NRCreateCommand2 and cmdWrapperNreProc; in 9.1 it is those without the 2
 * that wrap).
 *
 * A wrapper is a function whose address these make, that takes its client data
 * and a procedure from there and nothing else, and goes to an address that it has
 * in a register.
 */
#include "walkers/tcl/derive/tcl_wrappers.h"

#include <stdbool.h>

#include "user/elf/module.h"
#include "arch/x86_64/code.h"
#include "arch/x86_64/refs.h"
#include "walkers/tcl/derive/tcl_functions.h"
#include "walkers/tcl/derive/tcl_stubs.h"

/* generic/tclBasic.c, core-9-0-1, CmdWrapperInfo: proc, clientData, nreProc. */
#define INFO_PROC     (1ull << 0)
#define INFO_DATA     (1ull << 1)
#define INFO_NRE_PROC (1ull << 4)

static bool calls_register(const struct code *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct insn *in = &c->insn[i];

		if ((in->what == INSN_CALL || in->what == INSN_JMP) &&
		    !in->target)
			return true;
	}
	return false;
}

/* What is read through the first argument: bit n for the bytes from 8 n on. */
static u64 words_read(const struct code *c)
{
	u64 words = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct operand *from = &c->insn[i].op[1];

		if (c->insn[i].what == INSN_MOV && from->kind == OPERAND_MEM &&
		    from->plain && from->reg == REG_ARG0 && from->value >= 0 &&
		    from->value < 64 * 8)
			words |= 1ull << from->value / 8;
		if (c->insn[i].writes >> REG_ARG0 & 1)
			break;
	}
	return words;
}

static bool is_wrapper(const struct module *m, u64 vaddr, struct tcl_wrapper *w)
{
	struct code c;
	u64 words;

	if (code_decode_at(&c, m, vaddr))
		return false;
	words = calls_register(&c) ? words_read(&c) : 0;
	code_release(&c);
	*w = (struct tcl_wrapper){ .vaddr = vaddr };
	if (words == (INFO_DATA | INFO_NRE_PROC))
		w->proc = 32;
	return words == (INFO_DATA | INFO_PROC) || w->proc;
}

static bool known(const struct tcl_wrapper *w, size_t n, u64 vaddr)
{
	for (size_t i = 0; i < n; i++)
		if (w[i].vaddr == vaddr)
			return true;
	return false;
}

static size_t look_into(const struct module *m, u64 creator,
			struct tcl_wrapper *w, size_t n)
{
	struct refs made;

	refs_made(&made, m, creator);
	for (size_t i = 0; i < made.n && n < TCL_MAX_WRAPPERS; i++)
		if (!known(w, n, made.at[i]) &&
		    is_wrapper(m, made.at[i], &w[n]))
			n++;
	return n;
}

size_t tcl_wrappers_find(const struct module *m, const struct tcl_stubs *s,
			 struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS])
{
	static const struct {
		const char *name;
		u32 slot;
	} creators[] = {
		{ "Tcl_CreateObjCommand", TCL_SLOT_CREATE_OBJ_COMMAND },
		{ "Tcl_CreateObjCommand2", TCL_SLOT_CREATE_OBJ_COMMAND_2 },
		{ "Tcl_NRCreateCommand", TCL_SLOT_NR_CREATE_COMMAND },
		{ "Tcl_NRCreateCommand2", TCL_SLOT_NR_CREATE_COMMAND_2 },
	};
	struct tcl_wrapper found[TCL_MAX_WRAPPERS + 1] = { 0 };
	size_t n = 0;

	if (s->major < 9)
		return 0;
	for (size_t i = 0; i < sizeof(creators) / sizeof(creators[0]); i++)
		n = look_into(m,
			      tcl_functions_exported(m, creators[i].name,
						     s->table,
						     creators[i].slot),
			      found, n);
	for (size_t i = 0; i < n; i++)
		wrapper[i] = found[i];
	return n;
}
