/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The frames of a segment: each CallFrame is written once, in its turn. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_FRAMES_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_FRAMES_BPF_H

#include "walkers/tcl/kernel/tcl.bpf.h"

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

/* The next CallFrame with bytecode is known: write it after those that C code has
 * pushed between the last one and it. */
static __always_inline void want_call_frame(struct walk *w, struct tcl_walk *t,
					    u64 frame)
{
	struct tcl_interp *k = tcl_known(t);

	if (!frame || frame == t->call_frame)
		return;
	if (k->next_frame == frame || k->last_frame == frame)
		return write_call_frame(w, t, frame);
	t->gap = k->next_frame;
	t->wanted = frame;
	t->gap_words = w->words;
	t->phase = TCL_GAP;
}

/*
 * One CallFrame on the way to the wanted one.  Of those without bytecode only
 * namespaces are shown (`namespace eval` of a list): a proc without bytecode is
 * being entered or left, and its time is its caller's.
 */
static __always_inline void gap(struct walk *w, struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);
	u64 frame = t->gap;

	if (!frame || frame == t->wanted) {
		/* The interpreter's own frame may be another coroutine's yet. */
		if (!frame)
			w->words = t->gap_words;
		t->phase = TCL_FRAMES;
		write_call_frame(w, t, t->wanted);
		return;
	}
	t->call_frame = frame;
	if (tcl_stack(w, t, frame))
		return tcl_segment_broken(w, t, TCL_READ);
	t->gap = tcl_at(t, t->l.frame_caller);
	k->next_frame = t->gap;
	if (!(tcl_at32(t, t->l.frame_flags) & TCL_FRAME_PROC))
		write_frame(w, t);
}

/*
 * A callback that ends the script of a namespace (see tcl_is_outside()): the next
 * CallFrame is that script's, when it has no bytecode.
 */
static __always_inline void end_of_namespace(struct walk *w, struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);
	u64 frame = k->next_frame;

	if (!t->cb[1] || !frame)
		return;
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
}

#endif
