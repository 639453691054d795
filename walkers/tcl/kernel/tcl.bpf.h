/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The Tcl walker's state, one per CPU. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_BPF_H

#include "bpf/walk.bpf.h"
#include "walkers/tcl/kernel/tcl_lines.bpf.h"
#include "walkers/tcl/tcl.h"

#define TCL_BLOCK_WORDS	 16u  /* largest structure read at once: 128 bytes */
#define TCL_FRAME_READ	 64u  /* of a CmdFrame or CallFrame: what matters */
#define TCL_COMMAND_READ 64u  /* of a Command, up to its client data */
#define TCL_TEBC_READ	 112u /* of a TEBCdata, up to that of its CmdFrame */
#define TCL_STACK_WORDS	 128u /* of Tcl's own stack, read at once: 1 KiB */
#define TCL_STACK_END \
	24u /* generic/tclInt.h, ExecStack.endPtr; ExecEnv.execStackPtr is at 0 */
#define TCL_CALLBACK_WORDS 6u /* NRE_callback: procPtr, data[4], nextPtr */
#define TCL_MAX_STEPS	   16384u /* in one segment: three frames, or one callback */
#define TCL_NAMESPACES	   8u  /* whose names are kept */
#define TCL_OUTSIDE	   16u /* callbacks remembered between two segments */
#define TCL_INTERPS	   4u  /* interpreters remembered in one sample */
#define TCL_MAX_CHAIN	   24u /* methods in one call chain */
#define TCL_MAX_ARGS	   8u  /* arguments shown of a lambda */

/* generic/tclInt.h at core-8-6-13: CallFrame.isProcCallFrame. */
enum tcl_frame_flag {
	TCL_FRAME_PROC = 1,
	TCL_FRAME_LAMBDA = 2,
	TCL_FRAME_METHOD = 4,
	TCL_FRAME_DEFINE = 8,
};

/* generic/tclInt.h, core-8-6-13: CmdFrame.type. */
#define TCL_LOCATION_EVAL      0
#define TCL_LOCATION_EVAL_LIST 1 /* core-8-6-0 */
#define TCL_LOCATION_BC	       2
#define TCL_LOCATION_PREBC     3
#define TCL_LOCATION_SOURCE    4

enum tcl_phase {
	TCL_IDLE,	 /* at a new evaluator frame */
	TCL_FIND,	 /* callbacks, to the segment's first bytecode */
	TCL_BOUND,	 /* callbacks below the root, to the segment's end */
	TCL_FRAMES,	 /* command frames, to the segment's end */
	TCL_CALL,	 /* one call frame, of a Tcl that recurses in C */
	TCL_CHAIN_BEGIN, /* coroutines are about: to the first command frame ... */
	TCL_CHAIN_ALL, /* ... and callbacks one by one */
};

/* The name of a namespace, kept like that of a command (tcl_names.bpf.h). */
struct tcl_ns {
	u64 ns, text;
	u64 sample;
	u64 print;
	u32 serial, words;
};

struct tcl_interp {
	/* As they stand in the interpreter's current ExecEnv, and are read together. */
	u64 interp;
	u64 callbacks; /* address of its callbackPtr value */
	u64 inside; /* corPtr; later that of the execEnv that the walk is in */
	u64 last_frame; /* CallFrame written last for it, in an inner segment */
	u64 last_objv; /* the words of the CallFrame met last, also if it is not
			 * shown, and last_frame is 0 */
	u32 last_word; /* and where its header stands */
	u64 sample;
	u64 next_frame; /* of a Tcl that recurses in C: CallFrame after the one written
			 * last; at first the interpreter's framePtr */
	u64 next_command; /* CmdFrame that the walk has come to; at first the
			   * interpreter's cmdFramePtr; 0: not known */
	u64 stack, stack_end; /* of its current execEnv */
	u64 global_ns;
};

/* What every sample uses stands together, in the fewest cache lines. */
struct tcl_walk {
	struct tcl_layout l;
	u32 file; /* id + 1 that the values here belong to; 0: none */
	u32 phase;
	u32 steps;
	u32 recursive; /* this Tcl recurses in C: struct tcl_recursion */
	u64 sample;    /* number of this sample on this CPU */
	u64 bias;
	u64 tebc, dispatch; /* user addresses, of this process */
	u64 stubs;
	struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS];
	/* The segment being walked. */
	u64 interp, root;
	u64 callback;	   /* next to look at */
	u64 last_data;	   /* data[0] of the one before: a coroutine's base */
	u64 end;	   /* CmdFrame where the segment ends; 0: chain's end */
	u64 tebc_data;	   /* TEBCdata of the bytecode found last */
	u64 command_frame; /* CmdFrame to look at next */
	u64 call_frame;	   /* CallFrame written last in this segment */
	u64 passed;	   /* CmdFrame looked at last; 0: none */
	u64 scan;   /* callback to look at next for t->list; 0: no more */
	u64 caller; /* callerPtr of call_frame, once that was written */
	u32 began;  /* words written before its CmdFrames were looked at */
	u32 level;  /* of the CmdFrame before, 0: none yet */
	u32 slot;   /* in interps */
	u32 failed; /* a read behind the current frame's name has failed */
	u32 broken; /* a segment of this sample has not been walked to its end */
	u32 outsides;	/* entries of outside[] that are used */
	u32 bare;	/* the segment has no bytecode */
	u32 runs;	/* the evaluator's callback is known, in cb */
	u32 is_command; /* the segment's callback runs one written in C */
	u32 is_widget;	/* the name begins with a dot */
	u64 cb[TCL_CALLBACK_WORDS];
	/* The frame at hand, on Tcl's own stack (see tcl_stack()). */
	u64 at;		   /* kernel address of it; 0: it is in stack */
	u64 stack_base;	   /* user address of stack[0]; 0: nothing there */
	u64 name_ns, name; /* results of tcl_command_name() */
	u64 ns_ptr;	   /* and where it found the first */
	u64 command;	   /* argument of it */
	u64 objv;	   /* words of the frame written last: its identity */
	/* Words of the last frame if that is a C command's, and where its header is. */
	u64 command_objv;
	u32 command_word;
	u32 scanned; /* 0: the callback that knows t->list has not been met */
	struct tcl_lines lines;
	struct tcl_interp interps[TCL_INTERPS];
	struct tcl_ns ns[TCL_NAMESPACES];
	/* Seldom used. */
	u64 wanted;   /* CallFrame to be written in TCL_CALL */
	u64 space;    /* namespace of the CmdFrame passed */
	u64 look;     /* CmdFrame to look at next for it */
	u64 list;     /* the last one, if it evaluates a list */
	u64 stack_at; /* bytes from stack_base to the frame at hand */
	u64 outside[TCL_OUTSIDE]; /* data[1] of the callbacks outside of root */
	u64 block[TCL_BLOCK_WORDS]; /* see tcl_view() */
	u64 stack[TCL_STACK_WORDS];
};

/* What user space derived from each libtcl, before any process that maps the file
 * becomes ready; key: file id.  As large as the table of files. */
MAP(tcl_files, HASH, BPF_F_NO_PREALLOC, 1, u32, struct tcl_file);

WALK_STATE(WALKER_TCL, tcl)

/* The interpreter of the segment being walked. */
static __always_inline struct tcl_interp *tcl_known(struct tcl_walk *t)
{
	return &t->interps[t->slot & (TCL_INTERPS - 1)];
}

/*
 * Whether the bytecode found last runs in the interpreter's current execEnv: its TEBCdata
 * lies on that one's stack.  While coroutines switch, the interpreter may have the
 * execEnv of the one and the evaluator run a callback of the other.
 */
static __always_inline bool tcl_is_here(struct tcl_walk *t)
{
	struct tcl_interp *k = tcl_known(t);

	return t->tebc_data - k->stack < k->stack_end - k->stack;
}

static __always_inline void tcl_segment_done(struct walk *w, struct tcl_walk *t)
{
	t->phase = TCL_IDLE;
	/* The record may have become full on the way. */
	if (w->mode != MODE_DONE)
		walk_native(w);
}

/* tcl.bpf.c: the same, where frames of the segment are missing.  It is global, so it is
 * verified once, and a global function must return a value.  tcl_segment_broken() is for
 * callers that return none. */
COLD int tcl_segment_break(struct walk *w, u32 why);

static __always_inline void tcl_segment_broken(struct walk *w, u32 why)
{
	tcl_segment_break(w, why);
}

/* tcl.bpf.c: whether the CmdFrame's list is evaluated outside of the segment.  1 or 0. */
COLD int tcl_is_outside(struct walk *w);

/* A read that a name needs. */
static __always_inline int tcl_word(struct walk *w, struct tcl_walk *t,
				    u64 *out, u64 address)
{
	int err = walk_word(w, out, address);

	t->failed |= err != 0;
	return err;
}

static __always_inline u64 tcl_text(struct walk *w, struct tcl_walk *t,
				    u64 address)
{
	u64 id = text_at(w, address);

	t->failed |= id == 0;
	return id;
}

/* A frame that could not be named; the one who asked for its name counts. */
static __always_inline void tcl_push_unnamed(struct walk *w, struct tcl_walk *t)
{
	t->failed = 1;
	walk_frame(w, WALKER_TCL, TCL_UNNAMED, 0);
}

/* Whether t->command is still the one of this Proc, Object or coroutine.  Each of them
 * may outlive its Command, whose memory is then another's. */
static __always_inline bool tcl_command_of(struct walk *w, struct tcl_walk *t,
					   u64 data)
{
	u64 is = 0;

	return !tcl_word(w, t, &is, t->command + t->l.command_client_data) &&
	       is == data;
}

/* After the naming of one frame, which began with failed = 0. */
static __always_inline void tcl_named(struct walk *w, const struct tcl_walk *t)
{
	if (seldom(t->failed))
		walk_count(w, TCL_NAME);
}

/* tcl_stack.bpf.c: reads the callback at address into t->cb.  0, or an error. */
int tcl_read_callback(struct walk *w, u64 address);

/* tcl_stack.bpf.c: the part of tcl_stack() that reads.  Seldom called where memory is read
 * directly, so it does not take room on the BPF stack of its callers. */
COLD int tcl_read_stack(struct walk *w, u64 address);

/*
 * Have the first TCL_FRAME_READ bytes of the CmdFrame or CallFrame at address at
 * hand.  Both lie on Tcl's own stack (TclStackAlloc; generic/tclExecute.c,
 * core-8-6-13), callers below callees; so where memory must be read through the
 * helper, what is wanted next is mostly in the kilobyte that ends here.
 */
static __always_inline int tcl_stack(struct walk *w, struct tcl_walk *t,
				     u64 address)
{
	u64 off = address - t->stack_base;

	t->at = direct_at(&w->direct, address, TCL_FRAME_READ);
	if (mostly(t->at))
		return 0;
	if (t->stack_base && off <= sizeof(t->stack) - TCL_FRAME_READ) {
		t->stack_at = off;
		return 0;
	}
	return tcl_read_stack(w, address);
}

/* An 8-byte and a 4-byte field of the frame at hand. */
static __always_inline u64 tcl_at(const struct tcl_walk *t, s32 offset)
{
	if (mostly(t->at))
		return direct_word(t->at + (u32)offset);
	return t->stack[((t->stack_at + (u32)offset) >> 3) &
			(TCL_STACK_WORDS - 1)];
}

static __always_inline u32 tcl_at32(const struct tcl_walk *t, s32 offset)
{
	return tcl_at(t, offset & ~7) >> (((u32)offset & 4) * 8);
}

static __always_inline bool tcl_is_bytecode(u32 type)
{
	return type == TCL_LOCATION_BC || type == TCL_LOCATION_PREBC;
}

/* Whether the CmdFrame at hand, of this type, evaluates a list.  Up to 8.6.0 those have a
 * type of their own. */
static __always_inline bool tcl_is_list(const struct tcl_walk *t, u32 type)
{
	return type <= TCL_LOCATION_EVAL_LIST &&
	       !tcl_at(t, t->l.cmd_frame_line);
}

/* The value of a role at the current native frame. */
static __always_inline int tcl_role(struct walk *w, const struct tcl_role *r,
				    u64 *out)
{
	u32 reg = r->reg & 15;

	if (r->kind == TCL_ROLE_CFA)
		return walk_word(w, out, w->cfa + (s64)r->off);
	*out = w->reg[reg];
	return w->valid >> reg & 1 ? 0 : -1;
}

/* tcl_namespace.bpf.c: sets t->space for the CallFrame t->call_frame, at hand. */
int tcl_find_space(struct walk *w);
/* tcl_enter.bpf.c: the first step at a marked frame: reads its roles.  Returns 0 with
 * t->interp set; a status; -1: there is nothing to write; TCL_ENTER_RECURSIVE. */
#define TCL_ENTER_RECURSIVE 1000
int tcl_enter(struct walk *w);
/* Has t->interp in the sample's small table, at t->slot.  0, or a status. */
int tcl_know_interp(struct walk *w);
/* The second step: reads what every segment needs of the interpreter, and begins the
 * segment if this Tcl does not recurse in C.  t->is_command is set if the callback in
 * t->cb runs a command written in C. */
int tcl_begin_segment(struct walk *w);
/* tcl_recursive.bpf.c: for a Tcl that recurses in C: tcl_recursive() in place of the
 * first step, tcl_recursive_begin() after the second. */
int tcl_recursive(struct walk *w);
int tcl_recursive_begin(struct walk *w);
/* tcl_names.bpf.c: sets t->name and t->ns_ptr, of the Command at t->command, and t->name_ns if
 * that was read in this sample already.  They are kept for their owner: the Command or, if
 * it is a proc's, the Proc.  0: ok. */
int tcl_command_name(struct walk *w, u64 owner);
/* Whether what is kept for the owner still holds; then it sets the same. */
int tcl_kept(struct walk *w, struct tcl_walk *t, u64 owner);
/* Reads the name of a namespace.  Its text id, or 0. */
u64 tcl_ns_text(struct walk *w, u64 ns);

/* t->name_ns of the name found.  0: ok. */
static __always_inline int tcl_name_space(struct walk *w, struct tcl_walk *t)
{
	if (seldom(!t->name_ns))
		t->name_ns = tcl_ns_text(w, t->ns_ptr);
	return t->name_ns ? 0 : -1;
}

/* t->name and t->name_ns of the Command at t->command.  0: ok. */
static __always_inline int tcl_name_command(struct walk *w, struct tcl_walk *t)
{
	if (!tcl_kept(w, t, t->command) && tcl_command_name(w, t->command))
		return -1;
	return tcl_name_space(w, t);
}

/*
 * Writes the frame of the CallFrame t->call_frame, which is at hand then, or returns
 * which function below the caller must call for it (enum tcl_next).  tcl_call_frame()
 * does not call them itself, because all nested BPF functions share 512 bytes of stack.
 * -1, of any of them: nothing is written, because the frame could not be named.
 */
enum tcl_next {
	TCL_NEXT_PROC = 1,
	TCL_NEXT_METHOD,
	TCL_NEXT_LAMBDA,
	TCL_NEXT_NAMESPACE, /* needs t->space */
};
int tcl_call_frame(struct walk *w);
int tcl_proc(struct walk *w);
int tcl_space(struct walk *w);
/* tcl_object.bpf.c */
int tcl_method(struct walk *w);
int tcl_lambda(struct walk *w);

/* All of it, but for TCL_NEXT_NAMESPACE. */
static __always_inline int tcl_put_call_frame(struct walk *w)
{
	int next = tcl_call_frame(w);

	switch (next) {
	case TCL_NEXT_PROC:
		return tcl_proc(w);
	case TCL_NEXT_METHOD:
		return tcl_method(w);
	case TCL_NEXT_LAMBDA:
		return tcl_lambda(w);
	}
	return next;
}

/* tcl_name.bpf.c: write the frame of the C command that t->cb (a Dispatch) runs. */
int tcl_c_command(struct walk *w);
/* tcl_engine.bpf.c: at a frame of the bytecode engine, for --lines: keep its pc for
 * the segment that it runs in. */
int tcl_engine_pc(struct walk *w);
/* tcl_line.bpf.c, all for --lines only: begins a segment. */
int tcl_line_begin(struct walk *w);
/* Notes the CmdFrame at hand, t->passed, of this type. */
int tcl_line_note(struct walk *w, u32 type);
/* Write the line of the CallFrame t->call_frame, if one was noted. */
int tcl_line(struct walk *w);
/* ExtCmdLoc of the ByteCode t->lines.code, or 0. */
u64 tcl_locations(struct walk *w);
static __always_inline void tcl_push_line(struct walk *w, u64 kind, u64 line)
{
	walk_frame(w, WALKER_TCL, TCL_LINE, kind << 32 | line);
}

/* Text of the path in this Tcl_Obj, or 0.  If line is above 0, the line is written. */
u64 tcl_line_file(struct walk *w, u64 path, u64 line);
/* tcl_script.bpf.c, for --lines only: turns the frame written last into a script's if
 * the bytecode t->lines.script is the script of a file. */
int tcl_script(struct walk *w);
/* At a native frame, after all frames inward of it are written: writes the script that
 * TclEvalEx evaluates there. */
int tcl_script_eval(struct walk *w);

#endif
