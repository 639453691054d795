/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The table of commands to whose address Tcl_CreateInterp() has a pointer (generic/tclBasic.c,
 * builtInCmds, core-8-6-0 to core-9-1-0).
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <string.h>

#include "arch/code.h"

#define FIRST	  "append"
#define MAX_TABLE 256

/* CmdInfo */
#define SIZE	  40
#define PROC	  8
#define STACKLESS 24

/* false: this is no such table. */
static bool read_command(const struct module *m, u64 at, struct tcl_command *c)
{
	if (module_read_text(m, module_pointer(m, at), c->name,
			     sizeof(c->name)))
		return false;
	c->proc = module_pointer(m, at + PROC);
	c->stackless = module_pointer(m, at + STACKLESS);
	return true;
}

/* The table; 0: it does not begin here.  A compiler may make the address of another field of
 * its first row. */
static u64 table_near(const struct module *m, u64 vaddr)
{
	struct tcl_command command;

	for (u64 back = 0; back < SIZE && back < vaddr; back += 8)
		if (read_command(m, vaddr - back, &command) &&
		    !strcmp(command.name, FIRST))
			return vaddr - back;
	return 0;
}

void tcl_commands(const struct tcl_found *t, const struct module *m,
		  bool (*fn)(void *ctx, const struct tcl_command *c), void *ctx)
{
	u64 create = tcl_stubs_slot(m, t->stubs.table, TCL_SLOT_CREATE_INTERP);
	struct tcl_command command;
	struct code c;
	u64 table = 0;

	if (code_decode_at(&c, m, create))
		return;
	for (size_t i = 0; i < c.n && !table; i++)
		table = table_near(m, code_made(&c.insn[i]));
	code_release(&c);
	for (u64 i = 0; table && i < MAX_TABLE; i++)
		if (!read_command(m, table + i * SIZE, &command) ||
		    fn(ctx, &command))
			return;
}

struct adding {
	void (*add)(void *ctx, u64 vaddr, const char *name);
	void *ctx;
};

/* The stackless one is preferred. */
static bool add_command(void *ctx, const struct tcl_command *c)
{
	const struct adding *a = ctx;

	a->add(a->ctx, c->stackless ? c->stackless : c->proc, c->name);
	return false;
}

void tcl_builtins(const struct tcl_found *t, const struct module *m,
		  void (*add)(void *ctx, u64 vaddr, const char *name),
		  void *ctx)
{
	struct adding a = { add, ctx };

	tcl_commands(t, m, add_command, &a);
}
