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
 * What is read for one segment (algorithm A2):
 *   1. callbacks from C inward-out to the first TEBCresume, the innermost bytecode
 *      activation (TD); usually C itself.
 *   2. callbacks from rootPtr on to the first TEBCresume: the first activation of
 *      the next outer segment; its CmdFrame is where this segment ends.
 *   3. CmdFrames from the TD's to that end.  Those of bytecode name the CallFrame
 *      they run in; each CallFrame is one Tcl frame.
 * A running TD's own CmdFrame is off the chain, which is why the end is looked
 * up among the callbacks and not taken from the chain of CmdFrames.
 *
 * Coroutines have their own callback chain (execEnv), whose end leads to the
 * resumer's.  When the interpreter is inside one, the segment is walked callback by
 * callback instead (algorithm A1), hopping at each coroutine's end.
 *
 * CallFrames without bytecode.  `namespace eval` of a list pushes one, as some C code
 * does.  They stand between two that have bytecode, or at a segment's end, where it
 * must be decided whether they are this segment's or the next one's outward: a
 * namespace's script ends with a callback that holds the namespace, and the segment in
 * which that callback stands is the frame's.
 *
 * A script evaluated by C in the frame of a proc has a CallFrame that the next
 * outer segment shows as well; the inner one gets the flag TCL_DUPLICATE.
 *
 * What is checked on every sample: the register holds an interpreter (stub
 * table, and its execEnv points back to it), every TD's bytecode is the one its
 * CmdFrame names, CmdFrame levels step by exactly one, and the segment's end is
 * met.  A break is counted with its reason and ends that segment.
 *
 * What can race.  The sample stops the thread that owns the interpreter, so all
 * chains stand still; they are torn only in the few instructions where the
 * evaluator itself changes them.  C is trusted only where the code holds it
 * (between the pop and the return of the call).  A callback being pushed is above
 * C->nextPtr, so it is not looked at.  A frame that is being entered has no TD
 * yet, one that is being left has none any more: its time is its caller's.
 *
 * Tcl 8.5 has no trampoline.  A segment of it is one bytecode activation, found
 * another way (tcl_recursive.bpf.c); step 3 is the same.
 */
#include "walkers/tcl/kernel/tcl_coroutine.bpf.h"
#include "walkers/tcl/kernel/tcl_frames.bpf.h"
#include "walkers/tcl/kernel/tcl_names.bpf.h"

struct map_tcl_walks tcl_walks SEC(".maps");
struct map_tcl_names tcl_names SEC(".maps");

/* One callback on the way to the segment's first bytecode. */
static __always_inline void find(struct walk *w, struct tcl_walk *t)
{
	if (t->tebc_data && !tcl_is_here(t)) {
		t->phase = TCL_CHAIN_ALL;
		return;
	}
	if (t->tebc_data) {
		t->lines.activation = t->tebc_data;
		t->lines.callback = t->callback;
		t->callback = t->root;
		t->phase = TCL_BOUND;
		return;
	}
	if (!t->callback) {
		/* The end of a coroutine's chain, or of the outermost one. */
		t->phase = TCL_CHAIN_ALL;
		return;
	}
	if (t->callback == t->root) {
		/* Nothing here runs in bytecode; frames of C code may. */
		t->phase = TCL_BOUND;
		return;
	}
	if (tcl_read_callback(w, t, t->callback))
		return tcl_segment_broken(w, t, TCL_READ);
	t->last_data = t->cb[1];
	if (t->cb[0] == t->tebc)
		t->tebc_data = t->cb[1];
	/* Its callback knows a list's CmdFrame (TEOEx_ListCallback). */
	if (t->cb[2] == t->lines.list)
		t->lines.list_here = 1;
	t->callback = t->cb[5];
}

/* What is left of the segment are CallFrames without bytecode. */
static __always_inline void rest(struct walk *w, struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);

	if (t->recursive)
		return tcl_segment_done(w, t);
	t->phase = TCL_BARE;
	t->gap = k->next_frame;
	t->wanted = 0;
	if (t->end &&
	    walk_words(w, &t->wanted, 1, t->end + t->l.cmd_frame_frame))
		return tcl_segment_broken(w, t, TCL_READ);
	/* Mostly nothing is left; or C evaluates in the frame of the segment
	 * outside. */
	if (t->gap == t->wanted || t->gap == k->root_frame ||
	    (t->wanted && t->wanted == k->last_frame))
		tcl_segment_done(w, t);
}

/* One callback on the way to the first bytecode outside the segment. */
static __always_inline void bound(struct walk *w, struct tcl_walk *t)
{
	t->end = 0;
	if (t->callback) {
		if (tcl_read_callback(w, t, t->callback))
			return tcl_segment_broken(w, t, TCL_READ);
		t->callback = t->cb[5];
		if (t->cb[0] != t->tebc) {
			t->held[t->helds++ & (TCL_HELD - 1)] = t->cb[1];
			return;
		}
		t->end = t->cb[1] + t->l.tebc_cmd_frame;
	}
	t->command_frame = t->tebc_data + t->l.tebc_cmd_frame;
	t->phase = TCL_FRAMES;
	if (t->tebc_data)
		return;
	rest(w, t);
}

/* One CallFrame of a segment without bytecode, up to the next proc's. */
static __always_inline void bare(struct walk *w, struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);
	u32 word;

	if (!t->gap || t->gap == t->wanted)
		return tcl_segment_done(w, t);
	t->call_frame = t->gap;
	if (tcl_stack(w, t, t->gap))
		return tcl_segment_broken(w, t, TCL_READ);
	if (tcl_at32(t, t->l.frame_flags) & TCL_FRAME_PROC ||
	    (t->helds && tcl_is_outside(w)))
		return tcl_segment_done(w, t);
	t->gap = tcl_at(t, t->l.frame_caller);
	word = write_frame(w, t);
	k->next_frame = t->gap;
	k->last_frame = word == ~0u ? 0 : t->call_frame;
	k->last_word = word;
}

/* One CmdFrame of the segment. */
static __always_inline void frames(struct walk *w, struct tcl_walk *t)
{
	u64 head; /* type and level, two ints side by side */
	u64 frame, tebc, command_frame;
	u32 type, level;
	int status = 0;

	if (config.lines && t->lines.script)
		tcl_script(w);
	if (t->command_frame == t->end)
		return rest(w, t);
	if (!t->command_frame)
		return tcl_segment_broken(w, t, TCL_CHAIN);
	if (t->tebc_data)
		status = load_bytecode(w, t);
	else if (tcl_stack(w, t, t->command_frame))
		status = TCL_READ;
	if (status)
		return tcl_segment_broken(w, t, status);
	tebc = t->tebc_data;
	t->tebc_data = 0;
	head = tcl_at(t, t->l.cmd_frame_type);
	type = head;
	level = head >> 32;
	if (t->level && level + 1 != t->level)
		return tcl_segment_broken(w, t, TCL_LEVEL);
	t->level = level;
	command_frame = t->command_frame;
	t->command_frame = tcl_at(t, t->l.cmd_frame_next);
	frame = tcl_at(t, t->l.cmd_frame_frame);
	if (config.lines)
		tcl_line_note(w, command_frame, type,
			      t->recursive ? command_frame : tebc);
	if (type == TCL_LOCATION_BC || type == TCL_LOCATION_PREBC)
		want_call_frame(w, t, frame);
}

static __always_inline void hop(struct walk *w, struct tcl_walk *t)
{
	int status = tcl_coroutine_at(w, t, t->last_data, &t->callback);

	/* No coroutine: the outermost evaluator, or one that is not readable. */
	if (status) {
		if (t->root || (status > 0 && tcl_known(t)->inside))
			return tcl_segment_broken(w, t, TCL_COROUTINE_EDGE);
		t->end = 0;
		return rest(w, t);
	}
	t->call_frame = 0;
	t->lines.frame = 0;
	t->failed = 0;
	if (!tcl_command_of(w, t, t->last_data) || tcl_command_name(w)) {
		if (t->failed)
			tcl_push_unnamed(w, t);
	} else if (walk_room(w, 3)) {
		walk_push(w, frame_walker(WALKER_TCL, 2, TCL_COROUTINE, 0));
		walk_push(w, t->name_ns);
		walk_push(w, t->name);
	}
	t->last_data = 0;
	tcl_named(w, t);
	if (t->callback == t->root)
		tcl_segment_done(w, t);
}

/* One callback of a segment that may cross coroutines (algorithm A1). */
static __always_inline void chain_all(struct walk *w, struct tcl_walk *t)
{
	u64 frame, tebc;
	int status;

	if (config.lines && t->lines.script)
		tcl_script(w);
	if (t->tebc_data) {
		status = load_bytecode(w, t);
		if (status)
			return tcl_segment_broken(w, t, status);
		tebc = t->tebc_data;
		t->tebc_data = 0;
		frame = tcl_at(t, t->l.cmd_frame_frame);
		if (config.lines)
			tcl_line_note(w, tebc + t->l.tebc_cmd_frame,
				      TCL_LOCATION_BC, tebc);
		return write_call_frame(w, t, frame);
	}
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
		end_of_namespace(w, t);
}

int tcl_begin(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	t->phase = TCL_IDLE;
	t->stack_base = 0;
	t->broken = 0;
	t->call_frame = 0;
	t->lines.looked = 0;
	t->lines.home = 0;
	t->lines.list = 0;
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
	if (++t->steps > TCL_MAX_STEPS && t->phase != TCL_IDLE) {
		tcl_segment_broken(w, t, TCL_LIMIT);
		return 0;
	}
	switch (t->phase) {
	case TCL_IDLE:
		t->steps = 0;
		enter(w, t);
		break;
	case TCL_FIND:
		find(w, t);
		break;
	case TCL_BOUND:
		bound(w, t);
		break;
	case TCL_FRAMES:
		for (u32 i = 0; i < 4; i++) {
			frames(w, t);
			if (t->phase != TCL_FRAMES)
				break;
		}
		break;
	case TCL_GAP:
		gap(w, t);
		break;
	case TCL_BARE:
		bare(w, t);
		break;
	case TCL_CHAIN_ALL:
		chain_all(w, t);
		break;
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
