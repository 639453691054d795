/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folding: which of a stack's frames the programmer wants to see.
 *
 * Everything that folding must know of a frame has been found out before and
 * stands in struct fold_frame, so nothing here touches a file or a name table.
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
	FOLD_DROP = 1 << 3,	 /* not to be shown; folding sets it, too */
	FOLD_ASIDE = 1 << 4, /* script: no lexical caller of the innermost */
};

struct fold_frame {
	struct frame frame;
	unsigned flags; /* enum fold_flag */
	/* Native: the interpreter whose own code this is, NULL: none; its name is then
	 * not needed.  Script: the interpreter that runs it. */
	const struct walker *walker;
	u32 title; /* text: the interpreter's name */
	/* Native with a walker only: the function's names in the script language, joined
	 * by "|", or NULL, and the text that is shown of them. */
	const char *script;
	u32 label;
	const char *name; /* script: its frame's name */
	/* Native: its function's first address as a native word, 0: not known. */
	u64 start;
	/* Script: the same of the C function that it stands for, 0: none. */
	u64 entry;
};

/* The function of a native frame was called by this name, which has a text: it keeps
 * that one of its names; when it has it not, all.  name belongs to the caller. */
void fold_called(struct fold_frame *f, const char *name, u32 text);

/* Folds in place; frames are outermost first.  root: the native walk reached the
 * root.  Number of frames left. */
size_t fold_stack(struct fold_frame *frame, size_t n, bool root);
/* Take out, in place and before fold_stack(), the frames that are aside, and native
 * ones that they called.  An interpreter's outermost frame stays.  Number of frames
 * left. */
size_t fold_lexical(struct fold_frame *frame, size_t n);

#endif
