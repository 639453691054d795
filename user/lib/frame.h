/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A frame with its names, as data.  The outputs make the text of it
 * (user/output/text.h).
 *
 * Texts are ids in the store of texts (intern.h) that the frame belongs to; 0 is the
 * empty text.
 */
#ifndef JPBPF_USER_LIB_FRAME_H
#define JPBPF_USER_LIB_FRAME_H

#include <jpbpf/types.h>

enum frame_type {
	FRAME_IS_C,	  /* without a name and module: in no known file */
	FRAME_IS_INLINED, /* inlined into its caller by the compiler */
	/* Code made at run time.  With a module, code of that file, which cannot be
	 * read. */
	FRAME_IS_JIT,
	FRAME_IS_INTERPRETER, /* the interpreter itself; name: which one */
	FRAME_IS_KERNEL,
	FRAME_IS_SCRIPT,
	/* No code; name: what is known about the stack at this point. */
	FRAME_IS_MARKER,
};

enum frame_flag {
	FRAME_ADDRESS = 1 << 0, /* C: the name is an address in the module */
	FRAME_CUT = 1 << 1,	/* marker: name says why the stack ends here */
	/* Script: the space is part of the name and always written. */
	FRAME_QUALIFIED = 1 << 2,
	FRAME_UNEXPORTED =
		1 << 3, /* script: the space does not export the function */
	/* Script: a function without a name; name is where it begins, or empty. */
	FRAME_ANONYMOUS = 1 << 4,
	/* Script: an argument is computed; name: which one, or empty. */
	FRAME_PROMISE = 1 << 5,
	/* Script: a coroutine begins; name: its command. */
	FRAME_COROUTINE = 1 << 6,
	/* Script: the name is the walker's word, not the target's: "<GC>". */
	FRAME_OURS = 1 << 7,
	FRAME_MISSING =
		1 << 8, /* marker: name says why frames may be missing */
	/* Script: behind the name's last blank is a subcommand or method. */
	FRAME_JOINED = 1 << 12,
	/* Before folding, and where a view shows branches.  Script: not among the
	 * innermost frame's lexical callers. */
	FRAME_ASIDE = 1 << 9,
	FRAME_SILENT = 1 << 10, /* script: not shown, nor its C function */
	FRAME_CHAIN =
		1 << 11, /* marker: outward, frame pointers were followed */
	/* Marker: an error was raised here; name: its class, and ": " and its message,
	 * in the target's words. */
	FRAME_ERROR = 1 << 13,
};

struct frame {
	u8 type;   /* enum frame_type */
	u8 walker; /* script, interpreter: enum walker_id */
	u16 flags; /* enum frame_flag */
	/* Text: the name, a NUL, the build-id in hexadecimal, a NUL, and the path. */
	u32 module;
	/* Native: where the function begins in the module; 0: not known. */
	u64 address;
	u32 space; /* package or namespace */
	u32 name;
	/* Where the frame runs; a line without a file counts from elsewhere. */
	u32 file, line;
	u32 expression; /* the expression that the frame evaluates */
	/* Native: the name by which a script called it; only before folding. */
	u32 called;
};

#endif
