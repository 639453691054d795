/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Calls of Tcl's procs, lambdas and methods.
 *
 * Each ends in one place of TclNRInterpProcCore(), the jump to TclNRExecuteByteCode(), when
 * its CallFrame is made and its arguments are bound; a call with wrong arguments does not
 * get there.  Each is left through InterpProcNR2(), however it is left: by a return, an
 * error, a tail call, or when its coroutine is deleted (generic/tclProc.c, core-8-6-13).  A
 * CallFrame is the call's own while it is open.  The second argument is the ByteCode of
 * the Proc.
 *
 * TclNRCoroutineActivateCallback() resumes a coroutine if that has no stackLevel, else it
 * suspends it (generic/tclBasic.c).  A Proc that is freed goes through
 * TclProcCleanupProc(); the memory may be another Proc's later.  TclCreateProc() makes one;
 * its third argument is the name.
 *
 * Proc.refCount counts the open calls of the Proc: a watchpoint on it tells of both ends.
 */
#include "bpf/calls/call.bpf.h"

#include "walkers/tcl/kernel/tcl_file.bpf.h"

/* generic/tcl.h */
#define TCL_ERROR    1
#define TCL_RETURN   2
#define TCL_BREAK    3
#define TCL_CONTINUE 4

/* generic/tcl.h, Tcl_Obj, core-8-6-0 to core-9-1-0 */
#define OBJ_BYTES 8
struct tcl_text {
	u64 bytes, length, type;
};

int tcl_calls(struct call_event *e, const struct call_place *p)
{
	if (!e || !p)
		return CALL_NOTHING;
	switch (p->kind) {
	case TCL_CALL_ENTER:
		e->at_word = e->first + (u32)p->offset[TCL_CALL_VAR_FRAME];
		e->function.word[0] =
			call_word(e->second + (u32)p->offset[TCL_CALL_PROC]);
		return CALL_ENTERED;
	case TCL_CALL_WATCH_ENTER:
		e->at_word = e->first + (u32)p->offset[TCL_CALL_VAR_FRAME];
		e->function.word[0] =
			call_word(call_word(e->at_word) +
				  (u32)p->offset[TCL_CALL_FRAME_PROC]);
		return CALL_ENTERED;
	case TCL_CALL_LEAVE:
	case TCL_CALL_WATCH_LEAVE:
		e->at.address = call_word(e->first +
					  (u32)p->offset[TCL_CALL_VAR_FRAME]);
		return CALL_LEFT;
	case TCL_CALL_SWITCH:
		e->at.address = call_word(e->first);
		return call_word(e->at.address + (u32)p->offset[TCL_CALL_STACK])
			       ? CALL_SUSPENDED
			       : CALL_RESUMED;
	case TCL_CALL_FREE:
		e->function.word[0] = e->first;
		return CALL_FREED;
	case TCL_CALL_MAKE:
		return CALL_MADE;
	}
	return CALL_NOTHING;
}

/*
 * The code of a `return` is the caller's to be, if the return has come to its level.  A break
 * or continue that has met no loop is an error.  (generic/tclProc.c, InterpProcNR2(),
 * core-8-6-13)
 */
static __always_inline u32 code_of(const struct call_event *e,
				   const struct call_place *p)
{
	if (e->third == TCL_BREAK || e->third == TCL_CONTINUE)
		return TCL_ERROR;
	if (e->third == TCL_RETURN &&
	    call_half(e->first + (u32)p->offset[TCL_CALL_LEVEL]) == 1)
		return call_half(e->first + (u32)p->offset[TCL_CALL_CODE]);
	return e->third;
}

int tcl_left(const struct call_event *e, const struct call_place *p)
{
	if (!e || !p)
		return CALL_RETURN;
	switch (code_of(e, p)) {
	case 0:
		/* One that was caught is still there when something else fails. */
		return call_word(e->at.address +
				 (u32)p->offset[TCL_CALL_TAILCALL])
			       ? CALL_TAIL
			       : CALL_RETURN;
	case TCL_ERROR:
		return CALL_ERROR;
	case TCL_BREAK:
		return CALL_BREAK;
	case TCL_CONTINUE:
		return CALL_CONTINUE;
	}
	return CALL_OTHER;
}

int tcl_called(struct walk *w, const struct call_event *e,
	       const struct call_place *p)
{
	struct tcl_walk *t = tcl_current(w);
	struct tcl_file *f;
	u32 file;

	if (!t || !e || !p)
		return -1;
	file = p->file;
	f = bpf_map_lookup_elem(&tcl_files, &file);
	if (!f)
		return -1;
	tcl_begin(w);
	t->is_command = 0;
	tcl_set_file(t, f, file, p->bias);
	t->interp = e->first;
	if (tcl_know_interp(w))
		return -1;
	t->call_frame = e->at.address;
	return tcl_put_call_frame(w);
}

/* Text of an object; of one that has no string, its type's name, and *typed has the bit. */
static __always_inline u64 object_text(struct walk *w, u64 object, u64 *typed,
				       u64 bit)
{
	struct tcl_text t = { 0 };

	bpf_probe_read_user(&t, sizeof(t), (const void *)(object + OBJ_BYTES));
	if (t.bytes)
		return text_at(w, t.bytes);
	*typed |= bit;
	return text_at(w, call_word(t.type));
}

/* The words behind the first, or the value. */
static __always_inline void put_words(struct walk *w, u64 objv, u32 n)
{
	u32 header = w->words;
	u64 typed = 0;

	if (!walk_room(w, 1 + n))
		return;
	walk_push(w, 0);
	for (u32 i = 0; i < TCL_MAX_WORDS && i < n; i++)
		walk_push(w, object_text(w, call_word(objv + i * 8), &typed,
					 1ull << i));
	w->word[header & (WALK_WORDS - 1)] =
		frame_walker(WALKER_TCL, n, TCL_WORDS, typed);
}

/* objc and objv of a CallFrame; objc, which may be half a word, is before objv and behind
 * the flags. */
static __always_inline void put_arguments(struct walk *w, u64 frame, u32 flags,
					  u32 objv)
{
	u64 word[2] = { 0 };
	u32 n;

	bpf_probe_read_user(word, sizeof(word),
			    (const void *)(frame + objv - sizeof(*word)));
	n = (objv - flags == 8 ? word[0] >> 32 : word[0]) - 1;
	put_words(w, word[1] + 8, n < config.call_args ? n : config.call_args);
}

int tcl_detail(struct walk *w, const struct call_event *e,
	       const struct call_place *p, u32 begins)
{
	u64 env;
	u32 file;
	struct tcl_file *f;

	if (!w || !e || !p)
		return 0;
	file = p->file;
	f = bpf_map_lookup_elem(&tcl_files, &file);
	if (!f)
		return 0;
	env = call_word(e->first + f->layout.interp_exec_env);
	env = call_word(env + f->layout.exec_env_cor);
	if (env)
		walk_push(w, frame_value58(FRAME_KEY, env));
	if (begins && config.call_args)
		put_arguments(w, e->at.address, f->layout.frame_flags,
			      f->layout.frame_objv);
	if (!begins && config.call_value)
		put_words(w, e->first + (u32)p->offset[TCL_CALL_RESULT], 1);
	return 0;
}
