/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The start of a segment at a native frame of the evaluator: its interpreter, and the
 * callback at which the segment begins.
 *
 * The trampoline's row (struct tcl_trampoline) says where interpreter, rootPtr and
 * running callback are at each instruction of the loop: in rdi and rdx before the
 * prologue has moved them, in registers or slots after it, nowhere in the epilogue.
 * The running callback counts only between its pop and the return of its call.
 *
 * An interpreter is believed when its stub table is the one of this very libtcl and
 * its execEnv points back to it; that is checked once a sample for each.
 */
#include "walkers/tcl/kernel/tcl_file.bpf.h"

struct map_tcl_files tcl_files SEC(".maps");

/* Reads a word where time does not matter.  The called reader takes fewer lines of code than
 * nine inlined ones.  Where the helper reads all memory, the helper is called at once. */
static __always_inline int word_at(struct walk *w, u64 *out, u64 address)
{
	return DIRECT_READS ? walk_word(w, out, address)
			    : walk_read(w, out, sizeof(*out), address);
}

int tcl_know_interp(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);
	struct tcl_interp *k = NULL;
	u64 ident, at;

	if (!t)
		return TCL_NO_LAYOUT;
	for (u32 i = 0; i < TCL_INTERPS; i++) {
		k = &t->interps[i];
		t->slot = i;
		if (k->sample != t->sample)
			break;
		if (k->interp == t->interp)
			goto known;
	}
	at = t->interp;
	if (word_at(w, &ident, at + t->l.interp_stub_table) ||
	    word_at(w, &k->next_command, at + t->l.interp_cmd_frame) ||
	    word_at(w, &k->global_ns, at + t->l.interp_global_ns) ||
	    (t->recursive &&
	     word_at(w, &k->next_frame, at + t->l.interp_frame)) ||
	    word_at(w, &at, at + t->l.interp_exec_env) ||
	    walk_words(w, &k->interp, 3, at + t->l.exec_env_interp) ||
	    word_at(w, &k->stack, at) ||
	    word_at(w, &k->stack_end, k->stack + TCL_STACK_END))
		return TCL_READ;
	if (k->interp != t->interp || ident != t->stubs)
		return TCL_BAD_INTERP;
	k->sample = t->sample;
	k->last_frame = 0;
	k->last_objv = 0;
known:
	/* It is not known which frames belong to the broken segment. */
	if (t->broken)
		k->next_frame = k->next_command = 0;
	if (config.lines)
		tcl_line_begin(w);
	return 0;
}

/* Interp and root of the evaluator frame w stands at, and whether its running
 * callback is known. 0, or a status; -1: there is nothing to write here. */
static __always_inline int read_roles(struct walk *w, struct tcl_walk *t,
				      const struct tcl_trampoline *n)
{
	u64 vaddr = w->pc - t->bias, callback;

	t->runs = w->exact ? n->popped && vaddr >= n->popped && vaddr < n->ret
			   : vaddr == n->ret;
	if (w->exact && vaddr < n->body) {
		t->interp = w->reg[REG_ARG0];
		t->root = w->reg[REG_ARG2];
		return 0;
	}
	if (w->exact && vaddr >= n->epilogue)
		return -1;
	if (tcl_role(w, &n->interp, &t->interp) ||
	    tcl_role(w, &n->root, &t->root))
		return TCL_NO_REGISTER;
	if (!t->runs)
		return 0;
	if (tcl_role(w, &n->callback, &callback))
		return TCL_NO_REGISTER;
	return tcl_read_callback(w, callback) ? TCL_READ : 0;
}

/* The evaluator runs bytecode: the segment's first activation is known, and when
 * this is the outermost evaluator, its end as well. */
static __always_inline void start_running(struct tcl_walk *t)
{
	t->tebc_data = t->cb[1];
	t->lines.running = t->tebc_data + t->l.tebc_cmd_frame;
	t->lines.activation = t->tebc_data;
	t->lines.callback = t->callback;
	if (!tcl_is_here(t))
		t->phase = TCL_CHAIN_BEGIN;
	if (t->phase != TCL_FIND)
		return;
	/* Its CmdFrame is off the chain. */
	t->command_frame = t->tebc_data + t->l.tebc_cmd_frame;
	t->callback = t->root;
	t->end = 0;
	t->phase = t->root ? TCL_BOUND : TCL_FRAMES;
}

static __always_inline void start_segment(struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);

	t->phase = k->inside ? TCL_CHAIN_BEGIN : TCL_FIND;
	t->command_frame = k->next_command;
	t->last_data = 0;
	t->outsides = 0;
	t->callback = t->runs ? t->cb[5] : k->callbacks;
	t->scan = t->callback;
	if (!t->runs)
		return;
	/* If it is the one at a coroutine's end, nothing else leads to the resumer. */
	t->last_data = t->cb[1];
	if (t->cb[0] == t->dispatch && t->dispatch)
		t->is_command = 1;
	else if (t->cb[0] == t->tebc)
		start_running(t);
}

int tcl_enter(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);
	struct pc_entry *e;
	struct tcl_file *f;
	u32 slot;

	f = tcl_file_here(w, &e);
	if (!t || !f)
		return TCL_NO_LAYOUT;
	t->is_command = 0;
	tcl_set_file(t, f, frame_file(e->frame), e->bias);
	slot = UNWIND_MARK_INDEX(e->rule.mark);
	if (slot == UNWIND_MARK_LINES) {
		tcl_engine_pc(w);
		return -1;
	}
	if (t->recursive)
		return TCL_ENTER_RECURSIVE;
	if (slot >= TCL_MAX_TRAMPOLINES)
		return TCL_NO_LAYOUT;
	return read_roles(w, t, &f->trampoline[slot]);
}

int tcl_begin_segment(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);
	int status;

	if (!t)
		return TCL_NO_LAYOUT;
	t->tebc_data = 0;
	t->call_frame = 0;
	t->level = 0;
	t->bare = 0;
	status = tcl_know_interp(w);
	if (!status && !t->recursive)
		start_segment(t);
	return status;
}
