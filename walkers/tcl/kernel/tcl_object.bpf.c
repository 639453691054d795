/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The names of TclOO methods and of apply lambdas.
 *
 * A method's CallFrame leads to the call's chain of implementations.  The frame's
 * own one is the one whose Proc is the frame's: the chain's index cannot be used,
 * because `next` moves it for every frame of the call (generic/tclOOInt.h,
 * CallContext, core-8-6-13).
 *
 * A method that is redefined while it runs keeps its Method, which gets another Proc
 * (generic/tclOOMethod.c, Tcl_NewMethod); the chain and what is in it stay until the
 * call ends.  So a call with only one implementation is that one's, whatever it runs.
 * Of several it cannot be told which has been redefined: the frame has no name.
 *
 * A lambda has no name; it is told by its arguments, taken from its Proc's
 * compiled locals, which exist while it runs.
 */
#include "walkers/tcl/kernel/tcl_view.bpf.h"

/* A view of the Method in the chain whose Proc is proc, or of the only one; 0: none.  Its
 * chain's flags are in *flags. */
static __noinline u64 method_of(struct walk *w, struct tcl_walk *t, u64 context,
				u64 proc, u32 *flags)
{
	u64 chain = 0, items = 0, method = 0, found = 0;
	u64 data = 0;
	u32 n = 0;

	if (walk_word(w, &chain, context + t->l.context_chain) ||
	    walk_read(w, &n, sizeof(n), chain + t->l.chain_count) ||
	    walk_word(w, &items, chain + t->l.chain_items) ||
	    walk_read(w, flags, sizeof(*flags), chain + t->l.chain_flags))
		return 0;
	for (u32 i = 0; i < TCL_MAX_CHAIN; i++) {
		if (i >= n)
			return 0;
		if (walk_word(w, &method,
			      items + (u64)i * (u32)t->l.invoke_size) ||
		    walk_word(w, &data, method + t->l.method_client_data) ||
		    walk_word(w, &found, data + t->l.procedure_method_proc))
			continue;
		if (found == proc || n == 1)
			return tcl_view(w, t, method, 64);
	}
	return 0;
}

/* Sets t->command to the command of the class or object that declares the method. */
static __always_inline int declarer(struct walk *w, struct tcl_walk *t,
				    u64 method)
{
	u64 class = tcl_look(t, method, t->l.method_class);
	u64 object = tcl_look(t, method, t->l.method_object);

	if (class && walk_word(w, &object, class + t->l.class_object))
		return -1;
	if (!object || walk_word(w, &t->command, object + t->l.object_command))
		return -1;
	return tcl_command_of(w, t, object) ? 0 : -1;
}

/* generic/tclOOInt.h, core-8-6-13: CallChain.flags. */
#define CHAIN_CONSTRUCTOR 8
#define CHAIN_DESTRUCTOR  16

int tcl_method(struct walk *w)
{
	u64 context, method, name, bytes = 0, flags = 0;
	u32 chain_flags = 0;
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	if (walk_word(w, &context, t->call_frame + t->l.frame_client_data))
		return -1;
	method = method_of(w, t, context, tcl_at(t, t->l.frame_proc),
			   &chain_flags);
	if (!method)
		return -1;
	name = tcl_look(t, method, t->l.method_name);
	if (declarer(w, t, method) || tcl_name_command(w, t))
		return -1;
	if (chain_flags & CHAIN_CONSTRUCTOR)
		flags = TCL_CONSTRUCTOR;
	else if (chain_flags & CHAIN_DESTRUCTOR)
		flags = TCL_DESTRUCTOR;
	else if (!name || walk_word(w, &bytes, name + t->l.obj_bytes))
		return -1;
	name = bytes ? tcl_text(w, t, bytes) : 0;
	walk_frame(w, WALKER_TCL, TCL_METHOD, flags, t->name_ns, t->name, name);
	return 0;
}

#define ARG_MAX 24u /* bytes shown of one argument's name, with the NUL */

int tcl_lambda(struct walk *w)
{
	u64 proc, local = 0, id;
	struct tcl_walk *t = tcl_current(w);
	u32 n = 0, at = 0;
	long len;

	if (!t)
		return 0;
	proc = tcl_at(t, t->l.frame_proc);
	if (walk_read(w, &n, sizeof(n), proc + t->l.proc_num_args) ||
	    walk_word(w, &local, proc + t->l.proc_first_local))
		return -1;
	for (u32 i = 0; i < TCL_MAX_ARGS && i < n; i++) {
		if (i)
			w->text.text[at++ & (TEXT_MAX - 1)] = ' ';
		if (at > TEXT_MAX - ARG_MAX)
			break;
		len = direct_copy_text(&w->direct, &w->text.text[at], ARG_MAX,
				       local + t->l.local_name);
		if (len <= 0 || walk_word(w, &local, local + t->l.local_next))
			return -1;
		at += (u32)(len - 1) & 31;
	}
	w->text_bytes = at;
	id = text_intern(w);
	walk_frame(w, WALKER_TCL, TCL_LAMBDA, 0, id);
	return 0;
}
