/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The frames of a segment: each CallFrame is written once, in its turn.  And a coroutine's
 * base, where the walk goes on with the chains of its resumer. */
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
	if (mostly(t->at) && below <= TCL_TEBC_READ - TCL_FRAME_READ) {
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
	int status;

	if (config.lines)
		tcl_line(w);
	word = w->words;
	status = tcl_put_call_frame(w);
	if (status == TCL_NEXT_NAMESPACE) {
		tcl_find_space(w);
		status = tcl_space(w);
	}
	if (seldom(status))
		tcl_push_unnamed(w, t);
	tcl_named(w, t);
	if (w->words != word)
		return word;
	w->words = before;
	return ~0u;
}

/* Write the CallFrame, unless it is the one written last. */
static __always_inline void write_call_frame(struct walk *w, struct tcl_walk *t,
					     u64 frame)
{
	struct tcl_interp *k = tcl_known(t);
	u32 word;

	if (!frame || frame == t->call_frame)
		return;
	if (!t->call_frame && k->last_frame == frame)
		w->word[k->last_word & (WALK_WORDS - 1)] |= TCL_DUPLICATE;
	t->call_frame = frame;
	word = write_frame(w, t);
	k->last_objv = t->objv;
	k->next_frame = t->caller;
	k->last_frame = word == ~0u ? 0 : frame;
	k->last_word = word;
}

/*
 * Pass the CmdFrame at hand, t->command_frame: the CallFrame in which it runs is the next
 * one to write.  A list is mostly evaluated in the CallFrame of a proc, which has bytecode
 * and is written with that.
 */
static __always_inline void pass(struct walk *w, struct tcl_walk *t, u32 type)
{
	u64 frame = tcl_at(t, t->l.cmd_frame_frame);
	bool shown = tcl_is_bytecode(type), list = tcl_is_list(t, type);

	t->passed = t->command_frame;
	t->command_frame = tcl_at(t, t->l.cmd_frame_next);
	if (config.lines)
		tcl_line_note(w, type);
	if (seldom(list) && frame && frame != t->call_frame) {
		if (tcl_stack(w, t, frame))
			return tcl_segment_broken(w, TCL_READ);
		shown = !(tcl_at32(t, t->l.frame_flags) & TCL_FRAME_PROC);
	}
	if (shown)
		write_call_frame(w, t, frame);
}

/* Checks for a coroutine of this interpreter at address (CoroutineData,
 * generic/tclInt.h, core-8-6-13).  If there is one, its resumer's chain goes on at
 * *callback.  1: unreadable. */
static __always_inline int tcl_coroutine_at(struct walk *w, struct tcl_walk *t,
					    u64 address, u64 *callback)
{
	u64 ee = 0, inside = 0, of = 0;

	if (!address)
		return -1;
	if (walk_word(w, &ee, address + t->l.cor_caller_ee) ||
	    walk_word(w, &of, ee + t->l.exec_env_interp))
		return 1;
	if (of != t->interp)
		return -1;
	if (walk_word(w, callback, ee + t->l.exec_env_callback) ||
	    walk_word(w, &inside, ee + t->l.exec_env_cor) ||
	    walk_word(w, &t->command, address + t->l.cor_cmd) ||
	    walk_word(w, &ee, address + t->l.cor_ee) ||
	    (ee && walk_word(w, &of, ee + t->l.exec_env_interp)))
		return 1;
	if (of != t->interp)
		return -1;
	if (walk_word(w, &tcl_known(t)->next_command,
		      address + t->l.cor_caller + t->l.corcontext_cmd_frame))
		return 1;
	tcl_known(t)->inside = inside;
	return 0;
}

#endif
