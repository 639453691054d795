/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A frame with its names, as data.  What is written of it is made by the outputs.
 *
 * Texts are ids of a store of texts (intern.h) that the frame belongs to; 0 is none.
 */
#ifndef JPBPF_USER_LIB_FRAME_H
#define JPBPF_USER_LIB_FRAME_H

#include <jpbpf/types.h>

enum frame_type {
	FRAME_IS_C,	  /* no name: in no known file */
	FRAME_IS_INLINED, /* put into its caller by the compiler */
	FRAME_IS_JIT, /* code made at run time; no name: only the module is known */
	FRAME_IS_INTERPRETER, /* at work for itself; name: which one */
	FRAME_IS_KERNEL,
	FRAME_IS_SCRIPT,
	FRAME_IS_MARKER, /* no code; name: what is to be said of the stack here */
};

enum frame_flag {
	FRAME_ADDRESS = 1 << 0, /* C: the name is an address in the module */
	FRAME_CUT = 1 << 1,	/* marker: why the stack ends here */
	/* Script: the name alone is never written, the space is part of it. */
	FRAME_QUALIFIED = 1 << 2,
	FRAME_UNEXPORTED =
		1 << 3, /* script: the space is not to be called from */
	/* Script: a function without a name; name: where it begins, or none. */
	FRAME_ANONYMOUS = 1 << 4,
	FRAME_PROMISE =
		1 << 5, /* script: an argument, or none known, is computed */
	FRAME_COROUTINE = 1 << 6, /* script: here one begins, of this command */
};

struct frame {
	u8 type;    /* enum frame_type */
	u8 walker;  /* script, interpreter: its id */
	u16 flags;  /* enum frame_flag */
	u32 module; /* text: its name, a NUL, and its build-id in hexadecimal */
	u32 space;  /* package or namespace */
	u32 name;
	u32 file, line; /* where it runs; line alone: of what has no file */
	u32 expression; /* what it evaluates */
};

#endif
