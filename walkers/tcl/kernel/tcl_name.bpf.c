/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The frames of procs, namespaces and commands written in C, by their names
 * (tcl_names.bpf.c).
 */
#include "walkers/tcl/kernel/tcl_names.bpf.h"
#include "walkers/tcl/kernel/tcl_view.bpf.h"

/* Commands whose first argument tells more, by the text id of their name; written
 * by user space at the start. */
MAP(tcl_subcommands, HASH, 0, 256, u64, u32);
struct map_tcl_subcommands tcl_subcommands SEC(".maps");

/* The word as it was called: string of the Tcl_Obj at *objv. */
static __noinline u64 typed_word(struct walk *w, struct tcl_walk *t, u64 objv)
{
	u64 obj = 0, bytes = 0;

	if (tcl_word(w, t, &obj, objv) ||
	    tcl_word(w, t, &bytes, obj + t->l.obj_bytes) || !bytes)
		return 0;
	return tcl_text(w, t, bytes);
}

/* t->name and t->name_ns of a Proc, from memory. 0: found. */
static __always_inline int proc_name(struct walk *w, struct tcl_walk *t,
				     u64 proc)
{
	if (tcl_word(w, t, &t->command, proc + t->l.proc_cmd))
		return -1;
	if (!tcl_command_of(w, t, proc) || tcl_command_name(w, proc))
		return -1;
	return tcl_name_space(w, t);
}

/* Text of a proc's first argument, where the user has named the proc; it must be in the
 * global namespace.  objc stands before objv, and is as wide as a pointer in Tcl 9 only. */
static __always_inline u64 asked_word(struct walk *w, struct tcl_walk *t)
{
	u64 key = t->name;
	u32 *from = bpf_map_lookup_elem(&tcl_subcommands, &key);
	u32 flags = t->l.frame_flags, objv = t->l.frame_objv;

	if (!from || *from != TEXT_ASKED ||
	    t->ns_ptr != tcl_known(t)->global_ns ||
	    tcl_at32(t, flags + (objv - flags) / 2) < 2)
		return 0;
	return typed_word(w, t, tcl_at(t, objv) + 8);
}

/* Writes a proc's frame whose name must be read. */
int tcl_proc(struct walk *w)
{
	u64 proc, sub, flags = 0;
	struct tcl_walk *t = tcl_current(w);
	struct tcl_name *n;

	if (!t)
		return 0;
	proc = tcl_at(t, t->l.frame_proc);
	if (proc_name(w, t, proc)) {
		t->name_ns = 0;
		t->name = typed_word(w, t, tcl_at(t, t->l.frame_objv));
		flags = TCL_AS_TYPED;
	}
	if (!t->name)
		return -1;
	sub = flags ? 0 : asked_word(w, t);
	if (!sub) {
		walk_frame(w, WALKER_TCL, TCL_PROC, flags, t->name_ns, t->name);
		return 0;
	}
	/* Kept is the name alone. */
	n = name_slot(w, proc);
	if (n)
		n->owner = 0;
	walk_frame(w, WALKER_TCL, TCL_PROC, 0, t->name_ns, t->name, sub);
	return 0;
}

/* The global namespace is no call, but what runs there may be a script
 * (tcl_script.bpf.c). */
static __always_inline void push_global(struct walk *w)
{
	if (config.lines)
		walk_frame(w, WALKER_TCL, TCL_SCRIPT, TCL_DUPLICATE, 0, 0);
}

int tcl_space(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);
	u64 text;

	if (!t)
		return 0;
	text = tcl_ns_text(w, t->space);
	if (t->space == tcl_known(t)->global_ns) {
		push_global(w);
	} else if (!text) {
		return -1;
	} else {
		walk_frame(w, WALKER_TCL, TCL_NAMESPACE, 0, text);
	}
	return 0;
}

int tcl_call_frame(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);
	u32 flags;

	if (!t)
		return 0;
	t->caller = 0;
	t->failed = 0;
	if (tcl_stack(w, t, t->call_frame))
		return -1;
	flags = tcl_at32(t, t->l.frame_flags);
	/* A proc needs them only where Tcl recurses in C. */
	if (t->recursive || !(flags & TCL_FRAME_PROC)) {
		t->caller = tcl_at(t, t->l.frame_caller);
		t->objv = tcl_at(t, t->l.frame_objv);
	}
	t->command_objv = 0;
	w->walker_frames++;
	if (flags & TCL_FRAME_PROC && flags & TCL_FRAME_LAMBDA)
		return TCL_NEXT_LAMBDA;
	if (flags & TCL_FRAME_PROC && flags & TCL_FRAME_METHOD)
		return TCL_NEXT_METHOD;
	if (flags & TCL_FRAME_PROC) {
		if (seldom(!tcl_kept(w, t, tcl_at(t, t->l.frame_proc)) ||
			   tcl_name_space(w, t)))
			return TCL_NEXT_PROC;
		walk_frame(w, WALKER_TCL, TCL_PROC, 0, t->name_ns, t->name);
		return 0;
	}
	/* Only the commands that evaluate in a namespace say how they were called;
	 * compiling a proc's body makes a frame as well. */
	if (t->caller && t->objv && !(flags & TCL_FRAME_DEFINE))
		return TCL_NEXT_NAMESPACE;
	if (!t->caller || tcl_at(t, t->l.frame_ns) == tcl_known(t)->global_ns)
		push_global(w);
	return 0;
}

/* Dispatch's data: objProc, clientData, objc, objv (generic/tclBasic.c,
 * Dispatch, core-8-6-13).  The word's internal representation leads to the
 * Command; it counts only when that Command has this very implementation. */
static __always_inline int command_of_word(struct walk *w, struct tcl_walk *t)
{
	u64 obj = 0, resolved = 0, proc = t->cb[1], at;

	if (tcl_word(w, t, &obj, t->cb[4]) ||
	    tcl_word(w, t, &resolved, obj + t->l.obj_internal) ||
	    walk_word(w, &t->command, resolved))
		return -1;
	at = tcl_view(w, t, t->command, TCL_COMMAND_READ);
	if (!at || tcl_look(t, at, t->l.command_client_data) != t->cb[2])
		return -1;
	if (tcl_look(t, at, t->l.command_obj_proc) == proc)
		return 0;
	return walk_word(w, &resolved, t->command + t->l.command_nre_proc) ||
	       resolved != proc;
}

/* Text of the first argument, where that says what the command does: a command of
 * the global namespace that is in tcl_subcommands, or a widget. */
static __always_inline u64 subcommand(struct walk *w, struct tcl_walk *t,
				      bool global)
{
	static const u64 dot[] = { '.' };
	u64 key = t->is_widget ? text_id(dot, 1) : t->name;

	if (!global || (u32)t->cb[3] < 2 ||
	    !bpf_map_lookup_elem(&tcl_subcommands, &key))
		return 0;
	return typed_word(w, t, t->cb[4] + 8);
}

/* The command's own C function: what Dispatch calls, or what that calls. */
static __always_inline u64 c_function(struct walk *w, struct tcl_walk *t)
{
	u64 proc = t->cb[1], own = 0;

	for (u32 i = 0; i < TCL_MAX_WRAPPERS; i++) {
		if (!t->wrapper[i].vaddr)
			break;
		if (proc - t->bias == t->wrapper[i].vaddr)
			return walk_word(w, &own, t->cb[2] + t->wrapper[i].proc)
				       ? proc
				       : own;
	}
	return proc;
}

/*
 * A command may run itself in steps, each with the evaluator below it: itcl's do, by
 * Tcl_NRCallObjProc() (generic/tclBasic.c, core-8-6-13).  The words that are being
 * executed stay where they are meanwhile, so a command just inward with the same ones
 * is this very call; the one outward is found by its name.
 */
static __always_inline void one_command(struct walk *w, struct tcl_walk *t)
{
	if (t->command_objv == t->cb[4])
		w->word[t->command_word & (WALK_WORDS - 1)] |= TCL_DUPLICATE;
	t->command_objv = t->cb[4];
	t->command_word = w->words;
}

int tcl_c_command(struct walk *w)
{
	u64 flags = 0, entry, sub;
	bool global = true;
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	/* Without a word it is no command: a destructor's implementation. */
	if (!(u32)t->cb[3])
		return 0;
	t->objv = t->cb[4];
	t->failed = 0;
	entry = native_word(w, c_function(w, t));
	if ((!t->recursive && command_of_word(w, t)) ||
	    tcl_name_command(w, t)) {
		t->name_ns = 0;
		t->name = typed_word(w, t, t->cb[4]);
		t->is_widget = w->text.text[0] == '.';
		flags = TCL_AS_TYPED;
	} else {
		global = t->ns_ptr == tcl_known(t)->global_ns;
	}
	w->walker_frames++;
	if (!t->name) {
		tcl_push_unnamed(w, t);
	} else {
		sub = subcommand(w, t, global);
		one_command(w, t);
		walk_frame(w, WALKER_TCL, TCL_COMMAND, flags, t->name_ns,
			   t->name, entry, sub);
	}
	tcl_named(w, t);
	return 0;
}
