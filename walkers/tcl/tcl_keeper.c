/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * TclExecuteByteCode (generic/tclExecute.c, core-8-5-19) makes a CmdFrame when it is
 * entered, and to invoke a command does
 *
 *   bcFramePtr->data.tebc.pc = pc;
 *   iPtr->cmdFramePtr = bcFramePtr;
 *
 * Those two stores on one straight line show what bcFramePtr is, and the place that it
 * was read from is its home.  Where that home is good follows from the flow of the
 * code: wherever a path leads from an instruction to that read without the home being
 * written, and from there on until it is.
 */
#include "walkers/tcl/tcl_keeper.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "walkers/tcl/tcl_flow.h"
#include "walkers/tcl/tcl_holders.h"
#include "walkers/tcl/tcl_values.h"

struct engine {
	struct tcl_frame_code f;
	struct tcl_flow flow;
	s32 home; /* a register, or minus bytes below the CFA */
	u8 *holds;
	int *todo;
	size_t n_todo;
};

/* The last instruction of the straight line that this one is on, as far as one that
 * begins at first is evaluated. */
static int line_end(const struct tcl_code *c, int at, int first)
{
	while ((size_t)at + 1 < c->n && at - first < TCL_VALUES_LINE &&
	       !c->insn[at + 1].landing && c->insn[at].what != TCL_CALL &&
	       !tcl_insn_jumps(&c->insn[at]))
		at++;
	return at;
}

/* Is the pc stored in what the node points to? */
static bool stores_pc(const struct tcl_values *v, const struct tcl_layout *l,
		      int node)
{
	for (int i = 0; i < v->n_stores; i++)
		if (node && v->store[i].address.node == node &&
		    v->store[i].address.add == l->cmd_frame_pc)
			return true;
	return false;
}

/* Is it the store of a place's initial value to interp->cmdFramePtr, with that of the
 * pc beside it? */
static bool pushes(const struct tcl_code *c, const struct tcl_layout *l, int at,
		   struct tcl_values *v, struct tcl_place *home)
{
	const struct tcl_insn *in = &c->insn[at];
	const struct tcl_node *n;
	struct tcl_value value;

	if (in->what != TCL_MOV || !in->stores || !in->op[0].plain ||
	    in->op[0].value != l->interp_cmd_frame ||
	    in->op[1].kind != TCL_REG || in->op[1].size != 8)
		return false;
	tcl_values_at(v, c, at);
	value = v->reg[in->op[1].reg];
	n = tcl_values_node(v, value);
	if (!n || value.add || n->kind != TCL_INITIAL ||
	    !tcl_values_survives(n->place))
		return false;
	*home = n->place;
	if (stores_pc(v, l, value.node))
		return true;
	/* Or later on the same line. */
	tcl_values_at(v, c, line_end(c, at, v->first));
	for (int i = 0; i < v->n_stores; i++)
		if (v->store[i].at == at)
			return stores_pc(v, l, v->store[i].value.node);
	return false;
}

/* Where rsp is not known, neither is what is written at it. */
static bool overwrites(const struct engine *e, int at)
{
	return e->f.depth[at] < 0 || tcl_holders_overwrites(&e->f, at, e->home);
}

static void hold(struct engine *e, int at)
{
	if (e->holds[at])
		return;
	e->holds[at] = 1;
	e->todo[e->n_todo++] = at;
}

/* Backward: before which instructions is it there, because it is read later? */
static void spread_back(struct engine *e)
{
	const struct tcl_edge *edge;

	while (e->n_todo) {
		int at = e->todo[--e->n_todo];
		size_t n = tcl_flow_before(&e->flow, at, &edge);

		for (size_t i = 0; i < n; i++)
			if (!overwrites(e, edge[i].from))
				hold(e, edge[i].from);
	}
}

/* Is there a way to an instruction on which it is lost, if it is held before all of
 * them? */
static bool comes_lost(const struct engine *e, int at)
{
	const struct tcl_edge *edge;
	size_t n = tcl_flow_before(&e->flow, at, &edge);

	for (size_t i = 0; i < n; i++)
		if (overwrites(e, edge[i].from))
			return true;
	/* Filler that nothing leads to changes nothing. */
	return !at || (!n && e->f.c->insn[at].what != TCL_NOP);
}

static void lose(struct engine *e, const u8 *sure, int at)
{
	if (!e->holds[at] || sure[at])
		return;
	e->holds[at] = 0;
	e->todo[e->n_todo++] = at;
}

/* Forward: all that comes after is taken in, and put out again until every way to
 * what is left comes from there.  Each instruction is put out, and has a turn, once. */
static void spread_on(struct engine *e)
{
	size_t n = e->f.c->n;
	_cleanup_free_ u8 *sure = xmalloc(n + 1);
	const struct tcl_edge *edge;

	memcpy(sure, e->holds, n);
	memset(e->holds, 1, n);
	for (int i = 0; (size_t)i < n; i++)
		if (comes_lost(e, i))
			lose(e, sure, i);
	while (e->n_todo) {
		size_t edges =
			tcl_flow_next(&e->flow, e->todo[--e->n_todo], &edge);

		for (size_t i = 0; i < edges; i++)
			lose(e, sure, edge[i].to);
	}
}

static s32 number_of(const struct tcl_role *role)
{
	if (role->kind == TCL_ROLE_REG)
		return role->reg;
	return role->kind == TCL_ROLE_CFA ? role->off : role->off - 16;
}

/* The first read's home, and from where on each of its reads holds it. */
static bool find_home(struct engine *e, const struct tcl_layout *l,
		      struct tcl_role *role)
{
	struct tcl_place home;
	struct tcl_role other;
	struct tcl_values v;

	e->home = TCL_NO_PLACE;
	for (int i = 0; (size_t)i < e->f.c->n; i++) {
		if (!pushes(e->f.c, l, i, &v, &home) ||
		    !tcl_values_role(home, e->f.depth[v.first], &other))
			continue;
		if (e->home == TCL_NO_PLACE) {
			*role = other;
			e->home = number_of(role);
		}
		if (number_of(&other) == e->home)
			hold(e, v.first);
	}
	return e->home != TCL_NO_PLACE;
}

int tcl_keeper_find(struct tcl_keeper *k, const struct tcl_code *c,
		    const struct module *m, const struct tcl_layout *l)
{
	_cleanup_free_ int *todo = xcalloc(c->n + 1, sizeof(*todo));
	_cleanup_free_ int *depth = tcl_code_depths(c);
	struct engine e = { .f = { c, depth }, .todo = todo };

	k->holds = NULL;
	if (tcl_flow_open(&e.flow, c, m))
		return -ENOENT;
	tcl_flow_depths(&e.flow, c, depth);
	e.holds = xcalloc(c->n + 1, 1);
	if (!find_home(&e, l, &k->role)) {
		tcl_flow_release(&e.flow);
		free(e.holds);
		return -ENOENT;
	}
	spread_back(&e);
	spread_on(&e);
	tcl_flow_release(&e.flow);
	k->holds = e.holds;
	return 0;
}
