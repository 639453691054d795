/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * TclExecuteByteCode (generic/tclExecute.c, core-8-5-19) makes a CmdFrame when it is
 * entered, and to invoke a command does
 *
 *   bcFramePtr->data.tebc.pc = pc;
 *   iPtr->cmdFramePtr = bcFramePtr;
 *
 * Those two stores on one straight line show what bcFramePtr is, and the place that it
 * was read from is its home.  The home holds the address before an instruction if a path
 * leads from there to that read and does not write the home, and also where every path
 * comes from such an instruction and does not write the home.
 *
 * TclEvalEx (generic/tclBasic.c, core-8-6-13) does the second store for each command of
 * a script.  Its CmdFrame says nothing before the script's path is stored in it, so the
 * home counts from that store on.  TclEvalEx has no symbol; it is the function that
 * Tcl_EvalEx calls.  Before 8.6 it evaluates parts of a file for `uplevel` as well.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/unwind.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "arch/flow.h"
#include "arch/holders.h"
#include "arch/refs.h"
#include "arch/values.h"

#define MAX_HOMES 4 /* that are tried */

struct keeper {
	const struct code *c;
	const struct tcl_layout *l;
	struct flow flow;
	s32 home;
	int read; /* index where the home is read first */
	bool path;
	u8 *sure; /* before an instruction: the home holds the address */
	struct holders *state;
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
static bool pushes(const struct keeper *k, int at, struct values *v, s32 *home)
{
	const struct code *c = k->c;
	const struct insn *in = &c->insn[at];
	const struct node *n;
	struct value value;

	if (in->what != INSN_MOV || !in->stores || !in->op[0].plain ||
	    in->op[0].value != k->l->interp_cmd_frame ||
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
	for (; !stores_pc(v, k->l, value.node) && !ends_line(c, at) &&
	       at - v->first < VALUES_LINE;
	     at++)
		values_step(v, at);
	return k->path || stores_pc(v, k->l, value.node);
}

/* Finds the first read of a CmdFrame from instruction *at on.  *at becomes its place, *role
 * its home, and all reads of that home are sure.  false: there is none. */
static bool find_home(struct keeper *k, struct tcl_role *role, int *at)
{
	struct values v;
	s32 home;

	k->home = PLACE_NONE;
	memset(k->sure, 0, k->c->n);
	for (int i = *at; (size_t)i < k->c->n; i++) {
		if (!pushes(k, i, &v, &home) ||
		    (k->home != PLACE_NONE && home != k->home) ||
		    !tcl_role_of(home, role))
			continue;
		if (k->home == PLACE_NONE) {
			*at = i;
			k->read = v.first;
			k->home = home;
		}
		k->sure[v.first] = 1;
	}
	return k->home != PLACE_NONE;
}

/* Makes sure the instructions behind the stores of a path, in place of the reads. */
static void start_at_path(struct keeper *k)
{
	memset(k->sure, 0, k->c->n);
	for (size_t i = 0; i + 1 < k->c->n; i++) {
		const struct insn *in = &k->c->insn[i];

		if (in->what == INSN_MOV && in->stores && in->op[0].plain &&
		    in->op[0].size == 8 &&
		    in->op[0].value == k->l->cmd_frame_code &&
		    place_of(k->c, (int)i, &in->op[0]) == PLACE_NONE)
			k->sure[i + 1] = 1;
	}
}

/* Makes sure the instructions from which a path leads to a read. */
static void spread_back(struct keeper *k)
{
	_cleanup_free_ int *todo = xcalloc(k->c->n + 1, sizeof(*todo));
	size_t n_todo = 0;
	const int *edge;

	for (size_t i = 0; i < k->c->n; i++)
		if (k->sure[i])
			todo[n_todo++] = (int)i;
	while (n_todo) {
		size_t n = flow_edges(&k->flow.before, todo[--n_todo], &edge);

		for (size_t i = 0; i < n; i++) {
			if (k->sure[edge[i]] ||
			    place_overwritten(k->c, edge[i], k->home))
				continue;
			k->sure[edge[i]] = 1;
			todo[n_todo++] = edge[i];
		}
	}
}

static void begin(void *ctx, struct holders *s, int at)
{
	const struct keeper *k = ctx;

	if (k->sure[at]) {
		s->n = 1;
		s->h[0] = (struct holder){ k->home, 0 };
	}
}

static bool holds(const struct keeper *k, size_t at)
{
	const struct holder *h = holders_get(&k->state[at], k->home);

	return k->sure[at] || (h && !h->add);
}

/* Whether there is a home that holds the address where it is read first.  A compiler can
 * move the CmdFrame to another home later on: then that one is tried. */
static bool find(struct keeper *k, struct tcl_role *role)
{
	for (int at = 0, tries = 0;
	     tries < MAX_HOMES && find_home(k, role, &at); at++, tries++) {
		if (k->path)
			start_at_path(k);
		else
			spread_back(k);
		holders_follow(k->state, k->c, &k->flow, begin, k);
		if (holds(k, k->read))
			return true;
	}
	return false;
}

static int mark(struct tcl_found *t, struct keeper *k, u8 index)
{
	for (size_t i = 0; i < k->c->n; i++)
		k->sure[i] = holds(k, i) && k->c->insn[i].what != INSN_NOP;
	return tcl_found_mark_pieces(t, k->c, k->sure, index) ? 0 : -ENOSPC;
}

int tcl_keeper_find(struct tcl_found *t, struct tcl_role *role, u8 index,
		    struct code *c, const struct module *m, bool path)
{
	_cleanup_free_ struct holders *state =
		xcalloc(c->n + 1, sizeof(*state));
	_cleanup_free_ u8 *sure = xcalloc(c->n + 1, 1);
	struct keeper k = { .c = c,
			    .l = &t->row->layout,
			    .path = path,
			    .sure = sure,
			    .state = state };
	size_t before = t->n_ranges;
	int err = -ENOENT;

	flow_open(&k.flow, c, m);
	if (k.flow.complete && find(&k, role))
		err = mark(t, &k, index);
	flow_release(&k.flow);
	if (err)
		t->n_ranges = before;
	return err;
}

void tcl_keeper_eval(struct tcl_found *t, const struct module *m)
{
	u64 eval = tcl_stubs_slot(m, t->stubs.table, TCL_SLOT_EVAL_EX);
	struct refs called = refs_of(m, eval, REFS_CALLED);
	struct tcl_file *file = &t->file;
	struct code c;

	if (!called.n || code_decode_at(&c, m, called.at[0]))
		return;
	if (!tcl_keeper_find(t, &file->eval_frame, UNWIND_MARK_LINES, &c, m,
			     true)) {
		file->eval_start = c.start;
		file->eval_size = c.end - c.start;
	}
	code_release(&c);
}
