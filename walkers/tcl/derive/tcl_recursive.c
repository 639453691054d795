/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The evaluator of Tcl before 8.6, proven from machine code.
 *
 * TclExecuteByteCode keeps its CmdFrame as tcl_keeper.c says.
 *
 * A command is called by
 *
 *   cmdPtr->objProc(cmdPtr->objClientData, interp, objc, objv)
 *
 * in a function that TclExecuteByteCode calls (TclEvalObjvInternal, generic/tclBasic.c).
 * This is an indirect call: the pointer and the first argument are two fields of one
 * structure.  A call after which the structure's address is in no place that survives the
 * call is left out, because its values are not known while it lasts.
 *
 * The offsets are those of the version's layout, so a match proves the layout, too.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include "arch/flow.h"
#include "arch/refs.h"
#include "arch/values.h"

static const struct node *loaded(const struct values *v, struct value value,
				 s64 off)
{
	const struct node *n = values_node(v, value);

	return n && !value.add && n->kind == NODE_LOADED && n->off == off
		       ? n
		       : NULL;
}

static bool role_of(const struct values *v, struct value value,
		    struct tcl_role *role)
{
	struct places p;

	values_places(v, value, &p);
	return value.node && p.n && tcl_role_of(p.place[0], role);
}

/* The count of arguments is an int.  Its place is the one that its register was copied
 * from. */
static bool find_count(const struct code *c, const struct values *v, int at,
		       struct tcl_role *role)
{
	s32 place;

	while (--at >= v->first && !(c->insn[at].writes >> REG_ARG2 & 1))
		;
	if (at < v->first || c->insn[at].what != INSN_MOV)
		return false;
	place = place_of(c, at, &c->insn[at].op[1]);
	return place_survives(place) && tcl_role_of(place, role);
}

static bool is_call(const struct code *c, const struct tcl_layout *l, int at,
		    struct tcl_call *call)
{
	const struct insn *in = &c->insn[at];
	const struct node *proc, *data;
	struct value command = { 0 };
	struct values v;

	if (in->what != INSN_CALL || in->target)
		return false;
	values_at(&v, c, at);
	proc = loaded(&v, values_operand(&v, at, &in->op[0]),
		      l->command_obj_proc);
	data = loaded(&v, v.reg[REG_ARG0], l->command_client_data);
	if (!proc || !data || proc->base != data->base)
		return false;
	command.node = proc->base;
	*call = (struct tcl_call){ 0 };
	call->has_objc = find_count(c, &v, at, &call->objc);
	return role_of(&v, command, &call->command) &&
	       role_of(&v, v.reg[REG_ARG1], &call->interp) &&
	       role_of(&v, v.reg[REG_ARG3], &call->objv);
}

/* Of the functions that TclObjInterpProcCore calls, the one that is TclExecuteByteCode. */
static bool find_engine(struct tcl_found *t, const struct module *m)
{
	struct tcl_file *file = &t->file;
	u64 core = tcl_stubs_slot(m, t->stubs.internal,
				  TCL_SLOT_INTERNAL_OBJ_INTERP_PROC_CORE);
	struct refs called = refs_of(m, core, REFS_CALLED);
	struct code c;
	bool found = false;

	for (size_t i = 0; i < called.n && !found; i++) {
		if (code_decode_at(&c, m, called.at[i]))
			continue;
		file->tebc_start = c.start;
		file->tebc_end = c.end;
		found = !tcl_keeper_find(t, &file->recursion.cmd_frame, 0, &c,
					 m, false);
		code_release(&c);
	}
	return found;
}

/* false: there is no room. */
static bool add_calls(struct tcl_found *t, const struct module *m,
		      struct code *c)
{
	struct tcl_recursion *r = &t->file.recursion;
	struct tcl_call call;

	flow_depths(c, m);
	for (int i = 0; (size_t)i < c->n; i++) {
		const struct insn *in = &c->insn[i];

		if (!is_call(c, &t->row->layout, i, &call))
			continue;
		if (r->calls == TCL_MAX_CALLS)
			return false;
		r->call[r->calls++] = call;
		if (!tcl_found_mark(t, in->vaddr, in->vaddr + in->size,
				    (u8)r->calls))
			return false;
	}
	return true;
}

/* In each of the functions that TclExecuteByteCode calls. */
static bool find_calls(struct tcl_found *t, const struct module *m)
{
	struct refs called = refs_of(m, t->file.tebc_start, REFS_CALLED);
	struct code c;
	bool room = true;

	for (size_t i = 0; i < called.n && room; i++) {
		if (code_decode_at(&c, m, called.at[i]))
			continue;
		room = add_calls(t, m, &c);
		code_release(&c);
	}
	return room && t->file.recursion.calls;
}

/* Tcl_IsEnsemble compares a command's function with one, and makes no other's address:
 * NsEnsembleImplementationCmd. */
static u64 find_ensemble(const struct module *m, const struct tcl_stubs *s)
{
	u64 is_ensemble = tcl_stubs_slot(m, s->table, TCL_SLOT_IS_ENSEMBLE);
	struct refs made = refs_of(m, is_ensemble, REFS_MADE);

	return made.n == 1 ? made.at[0] : 0;
}

const char *tcl_recursive_find(struct tcl_found *t, const struct module *m)
{
	struct tcl_recursion *r = &t->file.recursion;

	r->ensemble = find_ensemble(m, &t->stubs);
	r->proc = tcl_stubs_slot(m, t->stubs.internal,
				 TCL_SLOT_INTERNAL_OBJ_INTERP_PROC);
	if (!find_engine(t, m))
		return "the bytecode engine was not found";
	return find_calls(t, m) ? NULL : "the call of commands was not found";
}
