/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The names of Tcl frames, read at the moment of the sample.
 *
 * A Command's name is the key of the hash entry it points to, its namespace the
 * full name of its Namespace.  Commands and entries are freed and their memory
 * is used again at once (redefined procs), so every sample reads the name's bytes
 * and checks that the entry's value is this very Command (generic/tclInt.h,
 * Command and Tcl_HashEntry, core-8-6-13).  Within one sample nothing can change:
 * there a small memo by Proc saves the reads of a recursion.
 */
#include "walkers/tcl/tcl.bpf.h"

static __always_inline u64 ns_text(struct walk *w, struct tcl_walk *t, u64 ns)
{
	u64 name = 0;

	if (walk_read(&name, sizeof(name), ns + t->l.ns_full_name))
		return 0;
	return text_at(w, name);
}

int tcl_command_name(struct walk *w)
{
	struct tcl_walk *t;
	u64 head[2], value;

	if (!w)
		return -1;
	t = tcl_current(w);
	/* hPtr and nsPtr are the first two fields. */
	if (!t || walk_read(head, sizeof(head), t->command) || !head[0] ||
	    walk_read(&value, sizeof(value), head[0] + t->l.entry_value) ||
	    value != t->command)
		return -1;
	t->name = text_at(w, head[0] + t->l.entry_key);
	t->name_ns = ns_text(w, t, head[1]);
	return t->name && t->name_ns ? 0 : -1;
}

/* The word as it was called: string of the Tcl_Obj at *objv. */
static __noinline u64 typed_word(struct walk *w, struct tcl_walk *t, u64 objv)
{
	u64 obj = 0, bytes = 0;

	if (walk_read(&obj, sizeof(obj), objv) ||
	    walk_read(&bytes, sizeof(bytes), obj + t->l.obj_bytes) || !bytes)
		return 0;
	return text_at(w, bytes);
}

static __always_inline void push_named(struct walk *w, u32 sub, u64 flags,
				       u64 ns, u64 name)
{
	if (!walk_room(w, 3))
		return;
	walk_push(w, frame_walker(WALKER_TCL, 2, sub, flags));
	walk_push(w, ns);
	walk_push(w, name);
}

static __always_inline void push_unnamed(struct walk *w)
{
	walk_count(w, TCL_NAME);
	walk_push(w, frame_walker(WALKER_TCL, 0, TCL_UNNAMED, 0));
}

/* A proc whose CallFrame is in t->block. */
static __always_inline void push_proc(struct walk *w, struct tcl_walk *t)
{
	u64 proc = tcl_field(t, t->l.frame_proc), flags = 0;
	struct tcl_memo *m = &t->memo[(proc >> 5) & (TCL_MEMO - 1)];
	u64 objv = tcl_field(t, t->l.frame_objv);

	if (m->sample == t->sample && m->proc == proc)
		return push_named(w, TCL_PROC, m->flags, m->ns, m->name);
	if (walk_read(&t->command, sizeof(t->command), proc + t->l.proc_cmd))
		return push_unnamed(w);
	if (tcl_command_name(w)) {
		t->name_ns = 0;
		t->name = typed_word(w, t, objv);
		flags = TCL_AS_TYPED;
	}
	if (!t->name)
		return push_unnamed(w);
	/* As typed it is this call's word only, not the Proc's. */
	if (!flags) {
		m->proc = proc;
		m->ns = t->name_ns;
		m->name = t->name;
		m->flags = flags;
		m->sample = t->sample;
	}
	push_named(w, TCL_PROC, flags, t->name_ns, t->name);
}

static __always_inline void push_namespace(struct walk *w, struct tcl_walk *t)
{
	u64 ns = tcl_field(t, t->l.frame_ns), text;

	/* The outermost frame of an interpreter is no call. */
	if (!tcl_field(t, t->l.frame_caller) || ns == t->global_ns)
		return;
	text = ns_text(w, t, ns);
	if (!text)
		return push_unnamed(w);
	if (!walk_room(w, 2))
		return;
	walk_push(w, frame_walker(WALKER_TCL, 1, TCL_NAMESPACE, 0));
	walk_push(w, text);
}

int tcl_call_frame(struct walk *w)
{
	struct tcl_walk *t;
	u32 flags;

	if (!w)
		return 0;
	t = tcl_current(w);
	if (!t)
		return 0;
	t->caller = 0;
	if (walk_read(t->block, 112, t->call_frame)) {
		push_unnamed(w);
		return 0;
	}
	flags = tcl_field32(t, t->l.frame_flags);
	/* Naming may use the block for something else. */
	t->caller = tcl_field(t, t->l.frame_caller);
	w->walker_frames++;
	if (!(flags & TCL_FRAME_PROC))
		push_namespace(w, t);
	else if (flags & TCL_FRAME_LAMBDA)
		tcl_lambda(w);
	else if (flags & TCL_FRAME_METHOD)
		tcl_method(w);
	else
		push_proc(w, t);
	return 0;
}

/* Dispatch's data: objProc, clientData, objc, objv (generic/tclBasic.c,
 * Dispatch, core-8-6-13).  The word's internal representation leads to the
 * Command; it counts only when that Command has this very implementation. */
static __always_inline int command_of_word(struct tcl_walk *t)
{
	u64 obj = 0, resolved = 0, proc = t->cb[1];

	if (walk_read(&obj, sizeof(obj), t->cb[4]) ||
	    walk_read(&resolved, sizeof(resolved), obj + t->l.obj_internal) ||
	    walk_read(&t->command, sizeof(t->command), resolved) ||
	    walk_read(t->block, 120, t->command))
		return -1;
	if (tcl_field(t, t->l.command_obj_proc) != proc &&
	    tcl_field(t, t->l.command_nre_proc) != proc)
		return -1;
	return tcl_field(t, t->l.command_client_data) == t->cb[2] ? 0 : -1;
}

int tcl_c_command(struct walk *w)
{
	struct tcl_walk *t;
	u64 flags = 0, entry;

	if (!w)
		return 0;
	t = tcl_current(w);
	if (!t)
		return 0;
	entry = native_word(w, t->cb[1]);
	if (command_of_word(t) || tcl_command_name(w)) {
		t->name_ns = 0;
		t->name = typed_word(w, t, t->cb[4]);
		flags = TCL_AS_TYPED;
	}
	w->walker_frames++;
	if (!t->name)
		push_unnamed(w);
	else if (walk_room(w, 4)) {
		walk_push(w, frame_walker(WALKER_TCL, 3, TCL_COMMAND, flags));
		walk_push(w, t->name_ns);
		walk_push(w, t->name);
		walk_push(w, entry);
	}
	return 0;
}
