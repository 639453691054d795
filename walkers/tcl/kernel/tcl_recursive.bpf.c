/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tcl before 8.6, which recurses in C: the frames that tell of Tcl frames.
 *
 * Each activation of bytecode is one native frame of TclExecuteByteCode, which has a
 * CmdFrame of its own on Tcl's stack and keeps its address all the while
 * (bcFramePtr; generic/tclExecute.c, core-8-5-19).  That CmdFrame names the CallFrame
 * it runs in and its ByteCode, which leads to the interpreter: nothing is counted,
 * and what is being pushed or popped does not matter.  A proc whose bytecode has not
 * begun, or has ended, has no such frame: its time is its caller's.
 *
 * Each command runs below the one call in TclEvalObjvInternal (generic/tclBasic.c),
 * across which its Command and its words (objv) stay where they are.  A proc's
 * CallFrame has the same objv, as have those of lambdas and of `namespace eval`: a
 * command with the words of the frame just written is that frame, and not written
 * again.  By the same sign a namespace's CallFrame without bytecode is found.
 *
 * What is checked on every sample: the CmdFrame is one of bytecode, and the
 * interpreter that its ByteCode leads to is one (tcl_enter.bpf.c).
 */
#include "walkers/tcl/kernel/tcl_file.bpf.h"

#define MAX_IMPORTS 3u /* of imports of a command, and the command */

/*
 * Whether t->command, whose client data are t->cb[2], is an import; then it becomes the
 * command that was imported.  The data are that Command and the import itself
 * (generic/tclInt.h, ImportedCmdData, core-8-5-19).  Other data may have the same second
 * word, so the first one must be a Command: its hash entry has it as the value.
 */
static __always_inline bool follow_import(struct walk *w, struct tcl_walk *t)
{
	u64 data[2], entry, value;

	if (walk_words(w, data, 2, t->cb[2]) || data[1] != t->command ||
	    walk_word(w, &entry, data[0] + t->l.command_entry) ||
	    walk_word(w, &value, entry + t->l.entry_value) || value != data[0])
		return false;
	t->command = data[0];
	return true;
}

/* The command that is called here: t->command, and t->cb as Dispatch has it. */
static __always_inline int read_call(struct walk *w, struct tcl_walk *t,
				     const struct tcl_recursion *r, u32 i)
{
	const struct tcl_call *c = &r->call[i];
	u64 proc = 0;

	t->cb[3] = 1;
	if (tcl_role(w, &c->command, &t->command) ||
	    tcl_role(w, &c->interp, &t->interp) ||
	    tcl_role(w, &c->objv, &t->cb[4]) ||
	    (c->has_objc && tcl_role(w, &c->objc, &t->cb[3])))
		return TCL_NO_REGISTER;
	if (t->cb[4] == t->objv)
		return -1;
	for (u32 n = 0; n < MAX_IMPORTS; n++) {
		/* objProc and objClientData stand side by side. */
		if (walk_words(w, &t->cb[1], 2,
			       t->command + t->l.command_obj_proc))
			return TCL_READ;
		proc = t->cb[1] - t->bias;
		if (!follow_import(w, t))
			break;
	}
	/* A proc that is being entered or left; an ensemble, which is the command
	 * that it leads to. */
	if (proc == r->proc || proc == r->ensemble)
		return -1;
	t->is_command = 1;
	return 0;
}

static __always_inline int read_activation(struct walk *w, struct tcl_walk *t,
					   const struct tcl_role *cmd_frame)
{
	u64 code, handle;

	if (tcl_role(w, cmd_frame, &t->command_frame))
		return TCL_NO_REGISTER;
	if (tcl_stack(w, t, t->command_frame))
		return TCL_READ;
	code = tcl_at(t, t->l.cmd_frame_code);
	t->end = tcl_at(t, t->l.cmd_frame_next);
	if (!tcl_is_bytecode(tcl_at32(t, t->l.cmd_frame_type)))
		return TCL_FRAME;
	/* ByteCode.interpHandle comes first, and in it the interpreter. */
	if (walk_word(w, &handle, code) || walk_word(w, &t->interp, handle))
		return TCL_READ;
	return 0;
}

int tcl_recursive(struct walk *w)
{
	const struct tcl_file *f;
	struct tcl_walk *t = tcl_current(w);
	struct pc_entry *e;
	u32 slot;

	f = tcl_file_here(w, &e);
	if (!t || !f)
		return TCL_NO_LAYOUT;
	slot = UNWIND_MARK_INDEX(e->rule.mark);
	if (!slot && config.lines)
		tcl_engine_pc(w);
	if (!slot)
		return read_activation(w, t, &f->recursion.cmd_frame);
	slot--;
	/* The bound is for the index itself: Linux 6.1 forgets it when one is
	 * subtracted afterwards. */
	barrier_var(slot);
	if (slot >= TCL_MAX_CALLS || w->exact)
		return -1;
	return read_call(w, t, &f->recursion, slot);
}

/*
 * Whether the command is the one that made a CallFrame.  The CallFrame of a namespace
 * without bytecode is written next.  If commands evaluated in the CallFrame have
 * bytecode, it was written with them.
 */
static __always_inline int begin_call(struct walk *w, struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);
	bool again = t->cb[4] == k->last_objv;

	t->is_command = !again;
	t->wanted = again ? k->last_frame : k->next_frame;
	if (!t->wanted)
		return -1;
	if (tcl_stack(w, t, t->wanted))
		return TCL_READ;
	if (tcl_at(t, t->l.frame_objv) != t->cb[4] ||
	    tcl_at32(t, t->l.frame_flags) & TCL_FRAME_PROC)
		return -1;
	/* What has no bytecode in it evaluates a list. */
	t->lines.list = t->wanted;
	t->passed = 0;
	t->phase = TCL_CALL;
	t->is_command = 0;
	return 0;
}

int tcl_recursive_begin(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	if (t->is_command)
		return begin_call(w, t);
	t->lines.running = t->command_frame;
	t->phase = TCL_FRAMES;
	return 0;
}
