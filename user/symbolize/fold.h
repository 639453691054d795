/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folding: chooses the frames of a stack that the programmer wants to see.
 *
 * Folding reads struct fold_frame only.  It looks at no file and no name table.
 */
#ifndef JPBPF_USER_SYMBOLIZE_FOLD_H
#define JPBPF_USER_SYMBOLIZE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/lib/frame.h"

struct walker;

enum fold_flag {
	FOLD_MAIN = 1 << 0,	 /* native: the program's main() */
	FOLD_START_UP = 1 << 1,	 /* native: starts a process or a thread */
	FOLD_BARE_LIBC = 1 << 2, /* native: in the C library, without a name */
	/* The frame is not shown; folding sets this too. */
	FOLD_DROP = 1 << 3,
	/* Script: not among the innermost frame's lexical callers. */
	FOLD_ASIDE = 1 << 4,
};

struct fold_frame {
	struct frame frame;
	unsigned flags; /* enum fold_flag */
	/* Native: the interpreter that this code belongs to, or NULL; a frame with a
	 * walker needs no name.  Script: the interpreter that runs the frame. */
	const struct walker *walker;
	u32 title; /* text id: the interpreter's name */
	/* Native with a walker only: script, the function's names in the script
	 * language, joined by "|", or NULL; label, the text id of what is shown of
	 * them. */
	const char *script;
	u32 label;
	const char *name; /* script: the frame's name */
	/* Native: first address of the function as a native word; 0: not known. */
	u64 start;
	/* Script: first address, as a native word, of the C function that the frame
	 * stands for; 0: none. */
	u64 entry;
};

/* The function of a native frame was called by this name, whose text id is text.  If
 * name is one of the function's script names, only that one is kept.  The frame keeps
 * the pointer name; its string must live as long as the frame. */
void fold_called(struct fold_frame *f, const char *name, u32 text);

/* Folds in place; frames are outermost first.  root: the native walk reached the root.
 * Returns the number of frames left. */
size_t fold_stack(struct fold_frame *frame, size_t n, bool root);
/* Remove, in place and before fold_stack(), the frames with FOLD_ASIDE and the native
 * frames that they called.  The outermost script frame of each interpreter stays.  marks:
 * they stay and get FRAME_ASIDE.  Returns the number of frames left. */
size_t fold_lexical(struct fold_frame *frame, size_t n, bool marks);

#endif
