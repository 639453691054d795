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
 *
 * TclEvalEx (generic/tclBasic.c, core-8-6-13) does the second store for each command of
 * a script.  Its CmdFrame says nothing before the script's path is stored in it, so
 * there the home is good from that store on.  It has no symbol; it is what Tcl_EvalEx
 * calls.  Before 8.6 it evaluates parts of a file for `uplevel` as well.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/unwind.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "arch/flow.h"
#include "arch/refs.h"
#include "arch/values.h"

#define MAX_HOMES    4	 /* that are tried */
#define SLOT_EVAL_EX 291 /* generic/tclDecls.h */

struct engine {
	const struct code *c;
	struct flow flow;
	s32 home;
	int read; /* where it is read first */
	bool path;
	u8 *holds;
	int *todo;
	size_t n_todo;
};

/* Whether the straight line that the instruction is on ends behind it. */
static bool ends_line(const struct code *c, int at)
{
	return (size_t)at + 1 >= c->n || c->insn[at + 1].landing ||
	       c->insn[at].what == INSN_CALL || insn_jumps(&c->insn[at]);
}

/* Whether the pc is stored in what the node points to. */
static bool stores_pc(const struct values *v, const struct tcl_layout *l,
		      int node)
{
	for (int i = 0; i < v->n_stores; i++)
		if (node && v->store[i].address.node == node &&
		    v->store[i].address.add == l->cmd_frame_pc)
			return true;
	return false;
}

/* Whether the instruction stores a place's initial value to interp->cmdFramePtr, with the
 * store of the pc beside it, where there is one. */
static bool pushes(const struct engine *e, const struct tcl_layout *l, int at,
		   struct values *v, s32 *home)
{
	const struct code *c = e->c;
	const struct insn *in = &c->insn[at];
	const struct node *n;
	struct value value;

	if (in->what != INSN_MOV || !in->stores || !in->op[0].plain ||
	    in->op[0].value != l->interp_cmd_frame ||
	    in->op[1].kind != OPERAND_REG || in->op[1].size != 8)
		return false;
	values_at(v, c, at);
	value = values_operand(v, at, &in->op[1]);
	n = values_node(v, value);
	if (!n || value.add || n->kind != NODE_INITIAL ||
	    !place_survives(n->place))
		return false;
	*home = n->place;
	/* The pc's is before it, or later on the same line. */
	for (; !stores_pc(v, l, value.node) && !ends_line(c, at) &&
	       at - v->first < VALUES_LINE;
	     at++)
		values_step(v, at);
	return e->path || stores_pc(v, l, value.node);
}

/* Where the depth is not known, neither is which slot is written; but filler writes nothing. */
static bool overwrites(const struct engine *e, int at)
{
	if (e->c->insn[at].what == INSN_NOP)
		return false;
	return e->c->insn[at].depth < 0 || place_overwritten(e->c, at, e->home);
}

static void hold(struct engine *e, int at)
{
	if (e->holds[at])
		return;
	e->holds[at] = 1;
	e->todo[e->n_todo++] = at;
}

/* Backward: marks the instructions before which it is there because it is read later. */
static void spread_back(struct engine *e)
{
	const int *edge;

	while (e->n_todo) {
		int at = e->todo[--e->n_todo];
		size_t n = flow_before(&e->flow, at, &edge);

		for (size_t i = 0; i < n; i++)
			if (!overwrites(e, edge[i]))
				hold(e, edge[i]);
	}
}

/* Whether there is a way to the instruction on which it is lost, if it is held before all
 * instructions of that way. */
static bool comes_lost(const struct engine *e, int at)
{
	const int *edge;
	size_t n = flow_before(&e->flow, at, &edge);

	for (size_t i = 0; i < n; i++)
		if (overwrites(e, edge[i]))
			return true;
	/* Filler that nothing leads to changes nothing. */
	return !at || (!n && e->c->insn[at].what != INSN_NOP);
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
	size_t n = e->c->n;
	_cleanup_free_ u8 *sure = xmalloc(n + 1);
	const int *edge;

	memcpy(sure, e->holds, n);
	memset(e->holds, 1, n);
	for (int i = 0; (size_t)i < n; i++)
		if (comes_lost(e, i))
			lose(e, sure, i);
	while (e->n_todo) {
		size_t edges = flow_next(&e->flow, e->todo[--e->n_todo], &edge);

		for (size_t i = 0; i < edges; i++)
			lose(e, sure, edge[i]);
	}
}

/* Finds the first read of a CmdFrame from instruction *at on: *at becomes its place, *role
 * its home.  All reads of that home are marked in e->holds. false: there is none. */
static bool find_home(struct engine *e, const struct tcl_layout *l,
		      struct tcl_role *role, int *at)
{
	struct values v;
	s32 home;

	e->home = PLACE_NONE;
	for (int i = *at; (size_t)i < e->c->n; i++) {
		if (!pushes(e, l, i, &v, &home) ||
		    (e->home != PLACE_NONE && home != e->home) ||
		    !tcl_role_of(home, role))
			continue;
		if (e->home == PLACE_NONE) {
			*at = i;
			e->read = v.first;
			e->home = home;
		}
		hold(e, v.first);
	}
	return e->home != PLACE_NONE;
}

/* Marks the instructions behind the stores of a path, in place of the reads: the home is
 * good from there on. */
static void start_at_path(struct engine *e, const struct tcl_layout *l)
{
	memset(e->holds, 0, e->c->n);
	for (size_t i = 0; i + 1 < e->c->n; i++) {
		const struct insn *in = &e->c->insn[i];

		if (in->what == INSN_MOV && in->stores && in->op[0].plain &&
		    in->op[0].size == 8 &&
		    in->op[0].value == l->cmd_frame_code &&
		    place_of(e->c, (int)i, &in->op[0]) == PLACE_NONE)
			e->holds[i + 1] = 1;
	}
	e->n_todo = 0;
}

int tcl_keeper_find(struct tcl_keeper *k, struct code *c,
		    const struct module *m, const struct tcl_layout *l,
		    bool path)
{
	_cleanup_free_ int *todo = xcalloc(c->n + 1, sizeof(*todo));
	struct engine e = { .c = c, .path = path, .todo = todo };
	int err = -ENOENT;

	k->holds = NULL;
	flow_open(&e.flow, c, m);
	e.holds = xcalloc(c->n + 1, 1);
	for (int at = 0, tries = 0;
	     e.flow.complete && err && tries < MAX_HOMES &&
	     find_home(&e, l, &k->role, &at);
	     at++, tries++) {
		if (path)
			start_at_path(&e, l);
		spread_back(&e);
		spread_on(&e);
		/* A compiler can move the CmdFrame to another home later on: then that
		 * one is tried. */
		err = e.holds[e.read] ? 0 : -ENOENT;
		if (err)
			memset(e.holds, 0, c->n);
	}
	flow_release(&e.flow);
	if (err)
		free(e.holds);
	else
		k->holds = e.holds;
	return err;
}

int tcl_keeper_mark(const struct tcl_keeper *k, const struct code *c,
		    struct tcl_trampolines *t, u8 index)
{
	for (size_t i = 0, first; i < c->n; i++) {
		if (!k->holds[i] || c->insn[i].what == INSN_NOP)
			continue;
		first = i;
		while (i + 1 < c->n &&
		       (k->holds[i + 1] || c->insn[i + 1].what == INSN_NOP))
			i++;
		if (!tcl_trampolines_mark(t, c->insn[first].vaddr,
					  c->insn[i].vaddr + c->insn[i].size,
					  index))
			return -ENOENT;
	}
	return 0;
}

void tcl_keeper_eval(struct tcl_found *t, const struct module *m)
{
	struct tcl_file *file = &t->file;
	struct tcl_keeper k;
	struct refs called;
	struct code c;

	refs_called(&called, m,
		    tcl_stubs_slot(m, t->stubs.table, SLOT_EVAL_EX));
	if (!called.n || code_decode_at(&c, m, called.at[0]))
		return;
	if (!tcl_keeper_find(&k, &c, m, &t->row->layout, true)) {
		if (!tcl_keeper_mark(&k, &c, &t->trampolines,
				     UNWIND_MARK_LINES))
			file->eval_size = c.end - c.start;
		file->eval_start = c.start;
		file->eval_frame = k.role;
		free(k.holds);
	}
	code_release(&c);
}
