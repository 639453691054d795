/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Scripts of files as frames (--lines): `source main.tcl`, where its evaluation began.
 *
 * The command `source` compiles the script (generic/tclIOUtil.c, TclNREvalFile,
 * core-8-6-13): an activation of bytecode that belongs to no proc, behind whose
 * callback stand the one of its object (TEOEx_ByteCodeCallback) and that of the file
 * (EvalFileCallback), which know the same object.
 *
 * C code evaluates it command by command: a native frame of TclEvalEx, whose CmdFrame
 * knows the file (generic/tclBasic.c).  Such a frame for a command in brackets stands
 * in the one that makes the words.  That one's CmdFrame is off the chain meanwhile, so
 * both have the same next one, and the inner frame is the script's.
 *
 * Either runs in a CallFrame that is there already, and that was written with the line
 * of what runs in it inward: in the script.  So that frame becomes the script's, and the
 * CallFrame is to be written once more.
 */
#include "walkers/tcl/kernel/tcl.bpf.h"

#define MAX_CALLBACKS 65536u /* looked at in one sample */
/* TclEvalEx calls Tcl_EvalObjv, which calls TclNRRunCallbacks. */
#define EVAL_FRAMES 2

/* The frame of t->call_frame becomes the script's. */
static __always_inline void take_frame(struct walk *w, struct tcl_walk *t,
				       u64 path)
{
	struct tcl_interp *k = tcl_known(t);
	u32 at = k->last_word & (WALK_WORDS - 1);
	u32 extra = frame_extra(w->word[at]);

	w->word[at] = frame_walker(WALKER_TCL, extra, TCL_SCRIPT, 0);
	if (extra)
		w->word[at + 1] = tcl_line_file(w, path, 0);
	k->last_frame = 0;
	t->call_frame = 0;
	t->lines.frame = 0;
	t->lines.list = 0;
}

/* One callback on the way to that of the bytecode l->script, and two more. */
static long next_callback(u32 i, struct walk **at)
{
	struct walk *w = *at;
	struct tcl_walk *t = tcl_state(w);
	struct tcl_lines *l = &t->lines;
	bool here = l->activation == l->script;

	if (++l->looked == MAX_CALLBACKS)
		walk_missing(w, TCL_LIMIT);
	if (l->looked >= MAX_CALLBACKS || !l->callback ||
	    l->callback == t->root || tcl_read_callback(w, l->callback))
		return 1;
	l->callback = t->cb[5];
	if (t->cb[0] == t->tebc) {
		l->activation = t->cb[1];
		return here;
	}
	if (here && l->object) {
		l->is_script = t->cb[3] == l->object;
		return 1;
	}
	l->object = here ? t->cb[2] : 0;
	return 0;
}

int tcl_script(struct walk *w)
{
	u64 ecl, type, path;
	struct tcl_lines *l;
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	l = &t->lines;
	l->object = 0;
	l->is_script = 0;
	if (t->phase == TCL_CHAIN_ALL) {
		l->callback = t->callback;
		l->activation = l->script;
	}
	bpf_loop(MAX_CALLBACKS, next_callback, &w, 0);
	l->script = 0;
	if (!l->is_script)
		return 0;
	l->code = l->script_code;
	ecl = tcl_locations(w);
	if (walk_word(w, &type, ecl + t->l.ecl_type) ||
	    walk_word(w, &path, ecl + t->l.ecl_path) ||
	    (u32)type != TCL_LOCATION_SOURCE)
		return 0;
	if (t->call_frame && tcl_known(t)->last_frame == t->call_frame)
		take_frame(w, t, path);
	return 0;
}

/* TclEvalEx's CmdFrame is at hand: of a script, or of a part of one. */
static __always_inline void write_eval(struct walk *w, struct tcl_walk *t)
{
	u64 frame = tcl_at(t, t->l.cmd_frame_frame), line = 0;
	u64 words = tcl_at(t, t->l.cmd_frame_line);
	u64 next = tcl_at(t, t->l.cmd_frame_next);
	u64 path = tcl_at(t, t->l.cmd_frame_code);
	struct tcl_lines *l = &t->lines;
	bool runs = words && w->frames - l->frames <= EVAL_FRAMES;

	if (!words && l->eval_sample == t->sample && l->eval_path == path &&
	    l->eval_next == next)
		return;
	l->eval_sample = t->sample;
	l->eval_path = path;
	l->eval_next = next;
	if (runs && t->call_frame == frame && tcl_known(t)->last_frame == frame)
		return take_frame(w, t, path);
	if (runs && t->lines.list == frame)
		tcl_push_line(w, TCL_LINE_EVAL, 1);
	else if (words && !walk_word(w, &line, words))
		tcl_line_file(w, path, line);
	walk_frame(w, WALKER_TCL, TCL_SCRIPT, 0, tcl_line_file(w, path, 0));
}

int tcl_script_eval(struct walk *w)
{
	const struct tcl_file *f;
	struct tcl_walk *t = tcl_current(w);
	u64 address;
	u32 file;

	if (!t)
		return 0;
	file = t->file - 1;
	f = bpf_map_lookup_elem(&tcl_files, &file);
	if (!f || w->pc - !w->exact - t->bias - f->eval_start >= f->eval_size)
		return 0;
	if (tcl_role(w, &f->eval_frame, &address) || tcl_stack(w, t, address))
		walk_missing(w, TCL_READ);
	else if (tcl_at32(t, t->l.cmd_frame_type) == TCL_LOCATION_SOURCE)
		write_eval(w, t);
	return 0;
}
