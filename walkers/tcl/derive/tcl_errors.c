/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where errors are raised.
 *
 * Tcl_AddObjErrorInfo() (generic/tclNamesp.c, core-8-6-13), in Tcl 9
 * Tcl_AppendObjToErrorInfo() (core-9-0-1), compares Interp.errorInfo with NULL and
 * branches.  The probe is on the branch: there the register of the compare has the
 * interpreter.  The first compare of 8 bytes with 0 behind a pointer is that one if the
 * function also stores to the same field.  Tcl_GetObjResult() (generic/tclResult.c) ends
 * by loading Interp.objResultPtr.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include "arch/code.h"

static bool stores_to(const struct code *c, s64 field)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct operand *to = &c->insn[i].op[0];

		if (c->insn[i].what == INSN_MOV && to->kind == OPERAND_MEM &&
		    to->plain && to->size == 8 && to->value == field)
			return true;
	}
	return false;
}

/* The branch after the compare; NULL: there is none. */
static const struct insn *branch_of(const struct code *c)
{
	for (size_t i = 0; i + 1 < c->n; i++) {
		const struct insn *in = &c->insn[i];

		if (in->what != INSN_CMP || in->op[0].kind != OPERAND_MEM ||
		    !in->op[0].plain || in->op[0].size != 8 ||
		    in->op[1].kind != OPERAND_IMM || in->op[1].value)
			continue;
		return (in[1].what == INSN_JE || in[1].what == INSN_JNE) &&
				       stores_to(c, in->op[0].value)
			       ? &in[1]
			       : NULL;
	}
	return NULL;
}

/* Offset of Interp.objResultPtr; 0: not found. */
static u32 result_of(const struct module *m, const struct tcl_stubs *s)
{
	u64 get = tcl_stubs_slot(m, s->table, TCL_SLOT_GET_OBJ_RESULT);
	u32 offset = 0;
	struct code c;

	if (code_decode_at(&c, m, get))
		return 0;
	for (size_t i = 0; i < c.n && c.insn[i].what != INSN_END; i++) {
		const struct insn *in = &c.insn[i];

		if (in->what == INSN_MOV && in->op[0].kind == OPERAND_REG &&
		    in->op[0].reg == REG_RESULT &&
		    in->op[1].kind == OPERAND_MEM && in->op[1].plain &&
		    in->op[1].value > 0 && in->op[1].value < 0x10000)
			offset = in->op[1].value;
	}
	code_release(&c);
	return offset;
}

bool tcl_errors_find(const struct tcl_found *t, const struct module *m,
		     struct walker_probe *probe)
{
	u32 slot = t->version.number >= 0x090000 ? TCL_SLOT_APPEND_ERROR_INFO
						 : TCL_SLOT_ADD_ERROR_INFO;
	u64 vaddr = tcl_stubs_slot(m, t->stubs.table, slot);
	u32 result = result_of(m, &t->stubs);
	const struct insn *branch;
	struct code c;

	if (!result || code_decode_at(&c, m, vaddr))
		return false;
	branch = branch_of(&c);
	if (branch)
		*probe = (struct walker_probe){
			.vaddr = branch->vaddr,
			.reg = branch[-1].op[0].reg,
			.param = branch[-1].op[0].value | result << 16,
		};
	code_release(&c);
	return branch;
}
