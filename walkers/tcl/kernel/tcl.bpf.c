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
 * Lists.  What evaluates a list makes no bytecode but a CmdFrame, which its callback
 * knows.  `namespace eval` of a list has a CallFrame that only this CmdFrame names.  At a
 * segment's end the callback tells whether the list is this segment's: it must not stand
 * outside of rootPtr.
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
#include "walkers/tcl/kernel/tcl_frames.bpf.h"
#include "walkers/tcl/kernel/tcl_names.bpf.h"

struct map_tcl_names tcl_names SEC(".maps");

int tcl_segment_break(struct walk *w, u32 why)
{
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	t->broken = 1;
	tcl_segment_done(w, t);
	return walk_missing(w, why);
}

/* One callback on the way to the segment's first bytecode. */
static __always_inline void find(struct walk *w, struct tcl_walk *t)
{
	/* At the end of a coroutine's chain, or of the outermost one, there is none. */
	if (t->tebc_data ? !tcl_is_here(t) : !t->callback) {
		t->phase = TCL_CHAIN_BEGIN;
		return;
	}
	if (t->tebc_data) {
		t->lines.activation = t->tebc_data;
		t->lines.callback = t->callback;
		t->callback = t->root;
		t->phase = TCL_BOUND;
		return;
	}
	if (t->callback == t->root) {
		/* Nothing here runs in bytecode; frames of C code may. */
		t->phase = TCL_BOUND;
		return;
	}
	if (tcl_read_callback(w, t->callback))
		return tcl_segment_broken(w, TCL_READ);
	t->last_data = t->cb[1];
	if (t->cb[0] == t->tebc)
		t->tebc_data = t->cb[1];
	t->callback = t->cb[5];
}

/* The next segment of the interpreter goes on at the CmdFrame reached. */
static __always_inline void segment_end(struct walk *w, struct tcl_walk *t)
{
	tcl_known(t)->next_command = t->command_frame;
	tcl_segment_done(w, t);
}

static __always_inline void frames_begin(struct walk *w, struct tcl_walk *t)
{
	t->began = w->words;
	t->bare = !t->tebc_data;
	t->phase = TCL_FRAMES;
}

/* One callback on the way to the first bytecode outside the segment. */
static __always_inline void bound(struct walk *w, struct tcl_walk *t)
{
	u64 first = t->tebc_data + t->l.tebc_cmd_frame, next;

	t->end = 0;
	if (t->callback) {
		if (tcl_read_callback(w, t->callback))
			return tcl_segment_broken(w, TCL_READ);
		t->callback = t->cb[5];
		if (t->cb[0] != t->tebc) {
			if (t->cb[2])
				t->outside[t->outsides++ & (TCL_OUTSIDE - 1)] =
					t->cb[2];
			return;
		}
		t->end = t->cb[1] + t->l.tebc_cmd_frame;
	}
	/* Bytecode that has not begun is not on the chain of CmdFrames yet. */
	if (t->tebc_data &&
	    walk_words(w, &next, 1, first + t->l.cmd_frame_next))
		return tcl_segment_broken(w, TCL_READ);
	if (t->tebc_data && next == t->command_frame)
		t->command_frame = first;
	frames_begin(w, t);
}

/* Whether the CmdFrame's list is evaluated outside of the segment. */
int tcl_is_outside(struct walk *w)
{
	const struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	for (u32 i = 0; i < TCL_OUTSIDE; i++)
		if (i < t->outsides && t->outside[i] == t->command_frame)
			return 1;
	return 0;
}

/*
 * The chain of CmdFrames does not lead to the segment's first bytecode, or has some where
 * there is none: while coroutines switch, it is another one's.
 */
static __always_inline void astray(struct walk *w, struct tcl_walk *t)
{
	if (t->bare || w->words != t->began)
		return tcl_segment_broken(w, TCL_CHAIN);
	t->command_frame = t->tebc_data + t->l.tebc_cmd_frame;
	t->level = 0;
}

/* One CmdFrame of the segment. */
static __always_inline void frames(struct walk *w, struct tcl_walk *t)
{
	u64 at = t->command_frame, tebc = t->tebc_data;
	u64 head; /* type and level, two ints side by side */
	u32 type, level;
	int status = 0;

	if (config.lines && t->lines.script)
		tcl_script(w);
	if (tebc && at == tebc + t->l.tebc_cmd_frame) {
		status = load_bytecode(w, t);
		t->tebc_data = 0;
	} else if (tebc && (!at || at == t->end)) {
		return astray(w, t);
	} else if (at == t->end) {
		return segment_end(w, t);
	} else {
		status = !at ? TCL_CHAIN : tcl_stack(w, t, at) ? TCL_READ : 0;
	}
	if (status)
		return tcl_segment_broken(w, status);
	head = tcl_at(t, t->l.cmd_frame_type);
	type = head;
	level = head >> 32;
	if ((t->tebc_data || t->bare) && tcl_is_bytecode(type))
		return astray(w, t);
	if (seldom(t->outsides) && tcl_is_list(t, type)) {
		if (tcl_is_outside(w))
			return segment_end(w, t);
		if (t->outsides > TCL_OUTSIDE)
			return tcl_segment_broken(w, TCL_LIMIT);
	}
	if (t->level && level + 1 != t->level)
		return tcl_segment_broken(w, TCL_LEVEL);
	t->level = level;
	pass(w, t, type);
}

static __always_inline void hop(struct walk *w, struct tcl_walk *t)
{
	int status = tcl_coroutine_at(w, t, t->last_data, &t->callback);

	/* No coroutine: the outermost evaluator, or one that is not readable. */
	if (status) {
		if (t->root || (status > 0 && tcl_known(t)->inside))
			return tcl_segment_broken(w, TCL_COROUTINE_EDGE);
		t->end = 0;
		return frames_begin(w, t);
	}
	t->command_frame = tcl_known(t)->next_command;
	t->call_frame = 0;
	t->lines.frame = 0;
	t->failed = 0;
	if (!tcl_command_of(w, t, t->last_data) || tcl_name_command(w, t)) {
		if (t->failed)
			tcl_push_unnamed(w, t);
	} else {
		walk_frame(w, WALKER_TCL, TCL_COROUTINE, 0, t->name_ns,
			   t->name);
	}
	t->last_data = 0;
	tcl_named(w, t);
	if (t->callback == t->root)
		segment_end(w, t);
}

/* A CmdFrame in which C code evaluates a script belongs between the segments. */
static __always_inline void chain_begin(struct walk *w, struct tcl_walk *t)
{
	u32 type = TCL_LOCATION_BC;

	if (t->command_frame) {
		if (tcl_stack(w, t, t->command_frame))
			return tcl_segment_broken(w, TCL_READ);
		type = tcl_at32(t, t->l.cmd_frame_type);
	}
	if (tcl_is_bytecode(type) || tcl_is_list(t, type))
		t->phase = TCL_CHAIN_ALL;
	else
		t->command_frame = tcl_at(t, t->l.cmd_frame_next);
}

/* One callback of a segment that may cross coroutines (algorithm A1). */
static __always_inline void chain_all(struct walk *w, struct tcl_walk *t)
{
	u64 tebc = t->tebc_data;
	int status;

	if (config.lines && t->lines.script)
		tcl_script(w);
	if (tebc) {
		status = load_bytecode(w, t);
		if (status)
			return tcl_segment_broken(w, status);
		t->tebc_data = 0;
		t->command_frame = tebc + t->l.tebc_cmd_frame;
		return pass(w, t, TCL_LOCATION_BC);
	}
	/* The hop comes first: a coroutine's chain ends in NULL, and so does the
	 * chain of an outermost evaluator, whose root is NULL. */
	if (!t->callback)
		return hop(w, t);
	if (t->callback == t->root)
		return segment_end(w, t);
	if (tcl_read_callback(w, t->callback))
		return tcl_segment_broken(w, TCL_READ);
	t->scan = t->callback;
	t->last_data = t->cb[1];
	t->callback = t->cb[5];
	if (t->cb[0] == t->tebc) {
		t->tebc_data = t->cb[1];
	} else if (t->cb[2] && t->cb[2] == t->command_frame) {
		if (tcl_stack(w, t, t->command_frame))
			return tcl_segment_broken(w, TCL_READ);
		pass(w, t, TCL_LOCATION_EVAL);
	}
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
		return tcl_segment_broken(w, status);
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
		tcl_segment_broken(w, TCL_LIMIT);
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
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < 3; i++) {
			frames(w, t);
			if (t->phase != TCL_FRAMES)
				break;
		}
		break;
	case TCL_CALL:
		write_call_frame(w, t, t->wanted);
		tcl_segment_done(w, t);
		break;
	case TCL_CHAIN_BEGIN:
		chain_begin(w, t);
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
