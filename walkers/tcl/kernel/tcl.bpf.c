/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tcl in the kernel: which Tcl frames belong under which native frame.
 *
 * How Tcl keeps its stack.  Since 8.6 the evaluator is stackless (generic/
 * tclBasic.c, "NRE", core-8-6-13): a proc that calls a proc pushes callbacks
 * (NRE_callback) on the interpreter's chain and returns to a loop,
 * TclNRRunCallbacks, which runs them.  The C stack grows only when C code enters
 * the evaluator again, and each such entry is one native frame of that loop.
 * Beside the callbacks Tcl has two more chains: CallFrames (procs and their
 * variables, by callerPtr) and CmdFrames (who called whom, by nextPtr).
 *
 * Where frames belong.  The loop runs while the chain's top is not what it was
 * at entry (rootPtr); so the activations under one native frame of the loop are
 * those between the callback it is running now (C, popped but intact: it is freed
 * after the call) and its rootPtr: a segment.  Interpreter, rootPtr and C sit in
 * callee-saved registers or in stack slots across the loop's one indirect call;
 * user space has derived from the code where (struct tcl_trampoline), and the
 * unwinder has restored them.  Nothing else has to be known about the process.
 *
 * What is read for one segment: its callbacks, one by one.  That of TEBCresume holds an
 * activation of bytecode (TD), whose CmdFrame names the CallFrame it runs in; each
 * CallFrame is one Tcl frame.
 *
 * Coroutines have their own callback chain (execEnv), whose end leads to the resumer's.
 * So a segment can go through several of them.
 *
 * CallFrames without bytecode.  `namespace eval` of a list pushes one.  It belongs to the
 * segment that has the callback that ends the namespace's script.  Some C code pushes
 * others, which are not shown: no command has made them.
 *
 * A script evaluated by C in the frame of a proc has a CallFrame that the next
 * outer segment shows as well; the inner one gets the flag TCL_DUPLICATE.
 *
 * What is checked on every sample: the register holds an interpreter (stub
 * table, and its execEnv points back to it), every TD's bytecode is the one its
 * CmdFrame names, and the segment's end is met.  A break is counted with its reason and
 * ends that segment.
 *
 * What can race.  The sample stops the thread that owns the interpreter, so all
 * chains stand still; they are torn only in the few instructions where the
 * evaluator itself changes them.  C is trusted only where the code holds it
 * (between the pop and the return of the call).  A callback being pushed is above
 * C->nextPtr, so it is not looked at.  A frame that is being entered has no TD
 * yet, one that is being left has none any more: its time is its caller's.
 *
 * Tcl 8.5 has no trampoline.  A segment of it is one CallFrame, found another way
 * (tcl_recursive.bpf.c).
 */
#include "walkers/tcl/kernel/tcl_coroutine.bpf.h"

struct map_tcl_walks tcl_walks SEC(".maps");
struct map_tcl_names tcl_names SEC(".maps");

/*
 * The CmdFrame inside the TEBCdata at t->tebc_data at hand, checked.
 * generic/tclExecute.c, TEBCdata, core-8-6-13.
 */
static __always_inline int load_bytecode(struct walk *w, struct tcl_walk *t)
{
	u64 code, at = t->tebc_data + t->l.tebc_code;
	u32 below = t->l.tebc_cmd_frame - t->l.tebc_code;

	t->at = direct_at(&w->direct, at, TCL_TEBC_READ);
	if (t->at && below <= TCL_TEBC_READ - TCL_FRAME_READ) {
		code = direct_word(t->at);
		t->at += below;
	} else if (walk_word(w, &code, at) || tcl_stack(w, t, at + below)) {
		return TCL_READ;
	}
	return code == tcl_at(t, t->l.cmd_frame_code) ? 0 : TCL_FRAME;
}

/* Write the frame of t->call_frame, behind its line; returns where its header
 * stands, all ones when it is not shown. */
static __always_inline u32 write_frame(struct walk *w, struct tcl_walk *t)
{
	u32 before = w->words, word;

	if (config.lines)
		tcl_line(w);
	word = w->words;
	switch (tcl_call_frame(w)) {
	case TCL_NEXT_PROC:
		tcl_proc(w);
		break;
	case TCL_NEXT_METHOD:
		tcl_method(w);
		break;
	case TCL_NEXT_LAMBDA:
		tcl_lambda(w);
		break;
	}
	tcl_named(w, t);
	if (w->words != word)
		return word;
	w->words = before;
	return ~0u;
}

/* Write the CallFrame of a bytecode activation. */
static __always_inline void write_call_frame(struct walk *w, struct tcl_walk *t,
					     u64 frame)
{
	struct tcl_interp *k = tcl_known(t);
	u32 word;

	if (!frame || frame == t->call_frame)
		return;
	if (t->first && k->last_frame == frame)
		w->word[k->last_word & (WALK_WORDS - 1)] |= TCL_DUPLICATE;
	t->first = 0;
	t->call_frame = frame;
	word = write_frame(w, t);
	k->last_objv = t->objv;
	k->next_frame = t->caller;
	k->last_frame = word == ~0u ? 0 : frame;
	k->last_word = word;
}

/* The activation t->tebc_data. */
static __always_inline void activation(struct walk *w, struct tcl_walk *t)
{
	u64 tebc = t->tebc_data;
	int status = load_bytecode(w, t);
	u64 frame;

	t->tebc_data = 0;
	if (status)
		return tcl_segment_broken(w, t, status);
	frame = tcl_at(t, t->l.cmd_frame_frame);
	if (config.lines)
		tcl_line_note(w, tebc + t->l.tebc_cmd_frame, tebc);
	write_call_frame(w, t, frame);
}

/* The end of a chain: a coroutine's base, or the outermost evaluator. */
static __always_inline void hop(struct walk *w, struct tcl_walk *t)
{
	if (!tcl_known(t)->inside) {
		if (t->root)
			return tcl_segment_broken(w, t, TCL_CHAIN);
		return tcl_segment_done(w, t);
	}
	if (tcl_coroutine_at(w, t, t->last_data, &t->callback)) {
		/* A broken segment may have been in the coroutine, this one outside. */
		if (!t->broken)
			return tcl_segment_broken(w, t, TCL_COROUTINE_EDGE);
		return tcl_segment_done(w, t);
	}
	t->call_frame = 0;
	t->lines.frame = 0;
	t->lines.script = 0;
	t->failed = 0;
	if (tcl_command_of(w, t, t->last_data) && !tcl_command_name(w) &&
	    walk_room(w, 3)) {
		walk_push(w, frame_walker(WALKER_TCL, 2, TCL_COROUTINE, 0));
		walk_push(w, t->name_ns);
		walk_push(w, t->name);
	}
	t->last_data = 0;
	tcl_named(w, t);
}

/*
 * A callback that may end the script of a namespace: its first word is the namespace then
 * (generic/tclNamesp.c, NRNamespaceEvalCmd, core-8-6-13).  The script's CallFrame is the
 * last one written, or, if it has no bytecode, the next one.
 */
static __always_inline void end_of_namespace(struct walk *w, struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);
	u64 frame = k->next_frame;

	if (!t->cb[1] || !frame)
		return;
	if (t->cb[1] == k->open_ns) {
		/* C code has evaluated a script in it, in the segment inward. */
		if (t->first)
			write_call_frame(w, t, k->last_frame);
		k->open_ns = 0;
		return;
	}
	if (tcl_stack(w, t, frame))
		return tcl_segment_broken(w, t, TCL_READ);
	/* The one that a body is being compiled in comes first. */
	if (!(tcl_at32(t, t->l.frame_flags) & TCL_FRAME_PROC) &&
	    !tcl_at(t, t->l.frame_objv)) {
		frame = tcl_at(t, t->l.frame_caller);
		if (!frame)
			return;
		if (tcl_stack(w, t, frame))
			return tcl_segment_broken(w, t, TCL_READ);
	}
	if (tcl_at32(t, t->l.frame_flags) & TCL_FRAME_PROC ||
	    tcl_at(t, t->l.frame_ns) != t->cb[1])
		return;
	k->next_frame = tcl_at(t, t->l.frame_caller);
	t->call_frame = frame;
	write_frame(w, t);
	k->open_ns = 0;
}

/* A callback that is not of bytecode. */
static __always_inline void other_callback(struct walk *w, struct tcl_walk *t)
{
	if (config.lines)
		tcl_line_callback(w);
	end_of_namespace(w, t);
}

/* One callback of the segment. */
static __always_inline void chain(struct walk *w, struct tcl_walk *t)
{
	if (t->tebc_data)
		activation(w, t);
	if (t->phase != TCL_CALLBACKS)
		return;
	/* The hop comes first: a coroutine's chain ends in NULL, and so does the
	 * chain of an outermost evaluator, whose root is NULL. */
	if (!t->callback)
		return hop(w, t);
	if (t->callback == t->root)
		return tcl_segment_done(w, t);
	if (tcl_read_callback(w, t, t->callback))
		return tcl_segment_broken(w, t, TCL_READ);
	t->last_data = t->cb[1];
	t->callback = t->cb[5];
	if (t->cb[0] == t->tebc)
		t->tebc_data = t->cb[1];
	else
		other_callback(w, t);
}

int tcl_begin(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	t->phase = TCL_IDLE;
	t->steps = 0;
	t->stack_base = 0;
	t->broken = 0;
	t->call_frame = 0;
	t->lines.home = 0;
	t->objv = 0;
	t->command_objv = 0;
	t->sample++;
	return 0;
}

/* At a marked frame.  Step by step from here: each has its own stack, of 512 bytes for
 * all that are called. */
static __always_inline void enter(struct walk *w, struct tcl_walk *t)
{
	int status = tcl_enter(w);

	if (status == TCL_ENTER_RECURSIVE)
		status = tcl_recursive(w);
	if (!status)
		status = tcl_begin_segment(w);
	if (!status && t->recursive)
		status = tcl_recursive_begin(w);
	if (status > 0)
		return tcl_segment_broken(w, t, status);
	if (status < 0)
		tcl_segment_done(w, t);
	if (t->is_command)
		tcl_c_command(w);
}

int tcl_step(struct walk *w)
{
	struct tcl_walk *t;

	if (!w)
		return 0;
	t = tcl_current(w);
	if (!t) {
		walk_native(w);
		return 0;
	}
	if (++t->steps > TCL_MAX_STEPS) {
		tcl_segment_broken(w, t, TCL_LIMIT);
		return 0;
	}
	switch (t->phase) {
	case TCL_IDLE:
		enter(w, t);
		break;
	case TCL_CALLBACKS:
		for (u32 i = 0; i < 8 && t->phase == TCL_CALLBACKS; i++)
			chain(w, t);
		break;
	case TCL_CALL_FRAME:
		write_call_frame(w, t, t->frame);
		/* fallthrough */
	default:
		tcl_segment_done(w, t);
	}
	if (config.lines && t->phase == TCL_IDLE)
		tcl_script_eval(w);
	return 0;
}

/* Nothing is left to do: every segment ends by itself, and nothing is kept for a
 * process, because all that is known of a Tcl is known of its file. */
int tcl_end(struct walk *w)
{
	(void)w;
	return 0;
}

int tcl_fork(u32 parent, u32 child)
{
	(void)parent;
	(void)child;
	return 0;
}

int tcl_exit(u32 pid)
{
	(void)pid;
	return 0;
}
