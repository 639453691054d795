/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the search for lines keeps. */
#ifndef JPBPF_WALKERS_TCL_KERNEL_TCL_LINES_BPF_H
#define JPBPF_WALKERS_TCL_KERNEL_TCL_LINES_BPF_H

#include "bpf/walk.bpf.h"

#define TCL_PC_OF_COMMAND 1 /* as a pc: the one in the CmdFrame is right */

/* Numbers of one or five bytes, of which eight bytes are read at once. */
struct tcl_stream {
	u64 end;   /* address behind what was read */
	u64 bytes; /* those that are left, the next one lowest */
	u64 left;  /* their number */
};

/* Where the frame that is written next is running (tcl_line.bpf.c). */
struct tcl_lines {
	u64 frame;   /* the CallFrame this is about; 0: none */
	u64 code;    /* its ByteCode */
	u64 pc;	     /* in it; 0: not known */
	u64 running; /* CmdFrame of the bytecode that runs natively; 0: none */
	u64 list; /* CallFrame that evaluates a list, in this segment; 0: none */
	u64 home; /* pc of the bytecode engine in the frame just left ... */
	u64 running_pc; /* ... and of this segment's; 0: not known */
	u32 looked;	/* callbacks, in this sample */
	u32 frames;	/* native ones, inward of this segment */
	/* Results and streams of the search. */
	struct tcl_stream code_delta, code_length, source_delta;
	s64 at, code_at, source_at, nearest;
	u64 source, index, location, found;
	u64 path, path_text, path_sample;
	/* The interpreter's table of lines, for a sample. */
	u64 table_of, table_sample, buckets, shift, mask;
	/* Scripts of files (tcl_script.bpf.c).  TEBCdata of bytecode that may be one's,
	 * 0: none, and its ByteCode. */
	u64 script, script_code;
	/* The callback to look at next, the TEBCdata of the last one before it that has
	 * bytecode, and what the first one behind that evaluates. */
	u64 callback, activation, object, is_script;
	u64 eval_path, eval_next, eval_sample; /* TclEvalEx's last one */
};

#endif
