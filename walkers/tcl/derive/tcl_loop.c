/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The evaluator's loop, proven from machine code.
 *
 * TclNRRunCallbacks (generic/tclBasic.c, core-8-6-13) is, in all its forms,
 *
 *   while ((C = interp->execEnvPtr->callbackPtr) != root) {
 *           interp->execEnvPtr->callbackPtr = C->nextPtr;
 *           result = C->procPtr(C->data, interp, result);
 *           free C
 *   }
 *
 * An indirect call is the loop's if both are found:
 *
 *   pop   On the straight line before the call, the first argument is C + offsetof(data),
 *         C->nextPtr is stored to callbackPtr, and the call goes to C->procPtr.  Then the
 *         call runs a callback.  The first two arguments were copied from C and interp,
 *         which are in callee-saved registers or stack slots.
 *   loop  The code from the call's return on leads back to the call and nowhere else,
 *         except at the loop's exits.  An exit compares callbackPtr for equality with the
 *         root, a value whose place the loop does not change.
 *
 * The offsets are those of the version's layout, so a match also proves that
 * the file has this layout.
 */
#include "walkers/tcl/derive/tcl_loop.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "arch/values.h"

static bool has_place(const struct places *p, s32 place)
{
	for (int i = 0; i < p->n; i++)
		if (p->place[i] == place)
			return true;
	return false;
}

static bool is_load(const struct node *n, int base, s64 off)
{
	return n && n->kind == NODE_LOADED && n->base == base && n->off == off;
}

/* Whether the call's target is C->procPtr, or a value from before the line. */
static bool calls_procedure(struct values *v, int call, int callback)
{
	struct value to = values_operand(v, call, &v->code->insn[call].op[0]);
	const struct node *n = values_node(v, to);

	return n && to.add == 0 &&
	       (n->kind == NODE_INITIAL || is_load(n, callback, 0));
}

/* The store of C->nextPtr to callbackPtr, or -1. */
static int find_pop(const struct tcl_loop *s, const struct values *v,
		    int callback)
{
	for (int i = v->n_stores - 1; i >= 0; i--) {
		struct value to = v->store[i].address;
		const struct node *n = values_node(v, v->store[i].value);

		if (v->store[i].value.add || !to.node ||
		    !is_load(n, callback, s->layout->callback_next))
			continue;
		/* A pointer to the field itself may have been made before. */
		if (to.add == s->layout->exec_env_callback ||
		    (to.add == 0 && v->node[to.node].kind == NODE_INITIAL))
			return v->store[i].at;
	}
	return -1;
}

bool tcl_loop_pops(struct tcl_loop *s, struct values *v)
{
	const struct insn *call = &s->code->insn[s->call];
	struct value callback, interp;

	if (call->what != INSN_CALL || call->target)
		return false;
	values_at(v, s->code, s->call);
	callback = v->reg[REG_ARG0];
	interp = v->reg[REG_ARG1];
	if (!callback.node || callback.add != s->layout->callback_data ||
	    !interp.node || interp.add)
		return false;
	callback.add = 0;
	s->popped = find_pop(s, v, callback.node);
	if (s->popped < 0 || !calls_procedure(v, s->call, callback.node))
		return false;
	values_places(v, callback, &s->callback);
	values_places(v, interp, &s->interp);
	return true;
}

/* Whether the value is interp->execEnvPtr->callbackPtr. */
static bool is_top(const struct tcl_loop *s, const struct values *v,
		   struct value value)
{
	const struct node *n = values_node(v, value), *env, *interp;
	struct places held;

	if (!n || value.add)
		return false;
	if (n->kind == NODE_INITIAL)
		return has_place(&s->callback, n->place);
	if (n->off != s->layout->exec_env_callback)
		return false;
	env = &v->node[n->base];
	if (env->kind == NODE_LOADED) {
		interp = &v->node[env->base];
		return env->off == s->layout->interp_exec_env &&
		       interp->kind == NODE_INITIAL &&
		       has_place(&s->interp, interp->place);
	}
	/* execEnvPtr was loaded before the line.  Then the value must become C. */
	values_places(v, value, &held);
	for (int i = 0; i < held.n; i++)
		if (has_place(&s->callback, held.place[i]))
			return true;
	return false;
}

static bool is_root(const struct tcl_loop *s, const struct values *v,
		    struct value value, s32 *place)
{
	const struct node *n = values_node(v, value);

	if (!n || value.add || n->kind != NODE_INITIAL ||
	    !place_survives(n->place) || has_place(&s->interp, n->place) ||
	    has_place(&s->callback, n->place))
		return false;
	*place = n->place;
	return true;
}

/* The compare that decides the conditional jump at index at, or -1. */
static int deciding_compare(const struct code *c, int at)
{
	for (int i = at; i > 0 && i > at - 5 && !c->insn[i].landing; i--) {
		const struct insn *before = &c->insn[i - 1];

		if (before->what == INSN_CMP)
			return i - 1;
		if (before->flags || before->what == INSN_CALL ||
		    insn_jumps(before))
			break;
	}
	return -1;
}

/* If the jump at index at is the loop's exit, notes the root and sets *stay to where the
 * loop goes on.  false: two exits contradict each other. */
static bool note_exit(struct tcl_loop *s, struct values *v, int at, int *stay)
{
	const struct insn *jump = &s->code->insn[at];
	int compare = deciding_compare(s->code, at);
	const struct operand *op;
	struct value a, b;
	s32 root;

	if (compare < 0)
		return true;
	op = s->code->insn[compare].op;
	values_at(v, s->code, compare);
	a = values_operand(v, compare, &op[0]);
	b = values_operand(v, compare, &op[1]);
	if (!(is_top(s, v, a) && is_root(s, v, b, &root)) &&
	    !(is_top(s, v, b) && is_root(s, v, a, &root)))
		return true;
	*stay = jump->what == INSN_JE ? at + 1 : jump->to;
	if (s->root == PLACE_NONE)
		s->root = root;
	return s->root == root;
}

struct todo {
	int *index;
	int n;
};

static bool enter(struct tcl_loop *s, struct todo *todo, int to)
{
	if (to < 0 || (size_t)to >= s->code->n)
		return false;
	if (!s->in_loop[to]) {
		s->in_loop[to] = 1;
		todo->index[todo->n++] = to;
	}
	return true;
}

/* One instruction of the loop; false: it leads out of it. */
static bool follow(struct tcl_loop *s, struct values *v, struct todo *todo,
		   int at)
{
	const struct insn *in = &s->code->insn[at];
	int stay = -1;

	if (at == s->call)
		return true;
	if (in->what == INSN_END)
		return false;
	if ((in->what == INSN_JE || in->what == INSN_JNE) &&
	    !note_exit(s, v, at, &stay))
		return false;
	if (stay >= 0)
		return enter(s, todo, stay);
	if (insn_jumps(in) && !enter(s, todo, in->to))
		return false;
	return in->what == INSN_JMP || enter(s, todo, at + 1);
}

bool tcl_loop_closes(struct tcl_loop *s, struct values *v)
{
	_cleanup_free_ int *index = xcalloc(s->code->n, sizeof(*index));
	struct todo todo = { index, 0 };

	memset(s->in_loop, 0, s->code->n);
	s->root = PLACE_NONE;
	if (!enter(s, &todo, s->call + 1))
		return false;
	while (todo.n)
		if (!follow(s, v, &todo, index[--todo.n]))
			return false;
	s->first = s->call;
	s->last = s->call;
	for (int i = 0; (size_t)i < s->code->n; i++) {
		if (!s->in_loop[i])
			continue;
		s->first = i < s->first ? i : s->first;
		s->last = i;
	}
	return s->root != PLACE_NONE && s->in_loop[s->call];
}
