/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What an extension registers as its configuration.
 *
 * An extension calls Tcl_RegisterConfig(interp, package, array, encoding) through Tcl's stub
 * table: a call or jump to what is in memory at the function's place in struct TclStubs,
 * behind a magic number and a pointer (generic/tclDecls.h, core-8-6-13 and core-9-0-1).
 * Just before it, the register of the third argument has the array's address, and that of
 * the second one the address of the package's name.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <stdlib.h>

#include "arch/code.h"
#include "arch/values.h"
#include "user/elf/pairs.h"
#include "user/lib/mem.h"

#define REGISTER_CONFIG (16 + 8 * TCL_SLOT_REGISTER_CONFIG)

static bool is_indirect(const struct insn *in)
{
	return (in->what == INSN_CALL || in->what == INSN_JMP) && !in->target;
}

/* Index of the call, if the instruction at index i is one or loads what is called; -1: it
 * does not. */
static int call_at(const struct code *c, size_t i)
{
	const struct insn *in = &c->insn[i];
	const struct operand *from = &in->op[in->what == INSN_MOV];

	if ((in->what != INSN_MOV && !is_indirect(in)) ||
	    from->kind != OPERAND_MEM || !from->plain ||
	    from->value != REGISTER_CONFIG)
		return -1;
	while (i < c->n && !is_indirect(&c->insn[i]))
		i++;
	return i < c->n ? (int)i : -1;
}

static void look_at(const struct module *m, const struct module_function *fn,
		    tcl_registered_fn *add, void *ctx)
{
	struct values *v;
	struct code c;

	if (code_decode(&c, m, fn))
		return;
	v = xmalloc(sizeof(*v));
	for (size_t i = 0; i < c.n; i++) {
		int call = call_at(&c, i);
		char package[PAIRS_KEY_MAX];
		struct pairs p;

		if (call < 0)
			continue;
		values_at(v, &c, call);
		if (!pairs_read_at(&p, m,
				   values_address(v, m, v->reg[REG_ARG2]))) {
			if (module_read_text(
				    m, values_address(v, m, v->reg[REG_ARG1]),
				    package, sizeof(package)))
				*package = '\0';
			add(ctx, package, &p);
		}
		pairs_release(&p);
	}
	free(v);
	code_release(&c);
}

void tcl_registered(const struct module *m, tcl_registered_fn *add, void *ctx)
{
	const struct module_function *fn;
	size_t n;

	if (module_functions(m, &fn, &n))
		return;
	for (size_t i = 0; i < n; i++)
		look_at(m, &fn[i], add, ctx);
}
