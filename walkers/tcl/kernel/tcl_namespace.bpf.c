/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The namespace of a script of `namespace eval` or `namespace inscope`.
 *
 * The script's CallFrame has it, but not all the time: while Tcl looks up a command for an
 * ensemble, an alias, `tailcall` or `yieldto`, and while it runs `unknown` for them, it has
 * the namespace to look in (generic/tclBasic.c, TEOV_LookupCmdFromObj and TEOV_NotFound,
 * core-8-6-13).  What is never overwritten:
 *
 *   - the namespace in the script's bytecode, without which that does not run.  The script
 *     is the outermost bytecode in the CallFrame: the one whose CmdFrame comes last of all
 *     that name the CallFrame;
 *   - for a list, which has no bytecode, the one in the callback that ends the script
 *     (generic/tclNamesp.c, NsEval_Callback).  It stands behind the callback of the list,
 *     which knows the list's CmdFrame.
 *
 * The callback that ends `my eval` of a list has no namespace, and Tcl 8.5 has no
 * callbacks: there the CallFrame's counts.
 */
#include "walkers/tcl/kernel/tcl.bpf.h"

#define MAX_FRAMES   65536u /* looked at for one namespace, as many callbacks */
#define BEHIND	     2u	    /* callbacks looked at behind a list's */
#define WORD_EVAL    (0x6c617665ull << 24) /* "eval" and the NUL, in memory */
#define WORD_INSCOPE 0x65706f63736e69ull   /* "inscope" */

/* One CmdFrame that may name the CallFrame. */
static long next_command_frame(u32 i, struct walk **at)
{
	struct walk *w = *at;
	struct tcl_walk *t = tcl_state(w);
	u64 code;
	u32 type;

	(void)i;
	if (!t->look || tcl_stack(w, t, t->look) ||
	    tcl_at(t, t->l.cmd_frame_frame) != t->call_frame)
		return 1;
	type = tcl_at32(t, t->l.cmd_frame_type);
	t->list = tcl_is_list(t, type) ? t->look : 0;
	t->look = tcl_at(t, t->l.cmd_frame_next);
	code = tcl_at(t, t->l.cmd_frame_code);
	if (type == TCL_LOCATION_BC &&
	    walk_word(w, &t->space, code + t->l.code_ns))
		t->space = 0;
	return 0;
}

/* One callback, on the way to the one of the list and behind it. */
static long next_callback(u32 i, struct walk **at)
{
	struct walk *w = *at;
	struct tcl_walk *t = tcl_state(w);
	u64 word;

	(void)i;
	if (!t->scan || t->scan == t->root || tcl_read_callback(w, t->scan))
		return 1;
	t->scan = t->cb[5];
	if (!t->scanned) {
		t->scanned = t->cb[2] == t->list;
		return 0;
	}
	if (walk_word(w, &word, t->cb[2]) ||
	    (word << 24 != WORD_EVAL && word != WORD_INSCOPE))
		return t->scanned++ == BEHIND;
	t->space = t->cb[1];
	return 1;
}

int tcl_find_space(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);
	u64 own;

	if (!t)
		return 0;
	own = tcl_at(t, t->l.frame_ns);
	t->space = own;
	t->look = t->passed;
	bpf_loop(MAX_FRAMES, next_command_frame, &w, 0);
	if (!t->list)
		return 0;
	t->space = own;
	t->scanned = 0;
	if (!t->recursive)
		bpf_loop(MAX_FRAMES, next_callback, &w, 0);
	return 0;
}
