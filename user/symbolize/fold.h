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

#include "user/symbolize/symbolize.h"

enum fold_flag {
	FOLD_MAIN = 1 << 0,	 /* native: the program's main() */
	FOLD_START_UP = 1 << 1,	 /* native: starts a process or a thread */
	FOLD_BARE_LIBC = 1 << 2, /* native: in the C library, without a name */
	FOLD_DROP = 1 << 3,	 /* not to be shown; folding sets it, too */
	FOLD_ASIDE = 1 << 4,	/* script: no lexical caller of the innermost */
	FOLD_NAMELESS = 1 << 5, /* native: its text is an address */
};

/* The strings belong to the caller and are only passed on. */
struct fold_frame {
	enum name_kind kind;
	unsigned flags; /* enum fold_flag */
	const char *text;
	const char *line; /* where in the source, to be put behind; or NULL */
	const struct module *module; /* of a native frame, else NULL */
	/* Native: the interpreter whose own code this is, NULL: none.
	 * Script: the interpreter that runs it. */
	const struct walker *walker;
	/* Native with a walker only: what stands for a leaf in the interpreter,
	 * and the function's names in the script language, joined by "|", or
	 * NULL; label is what is shown of them (NULL: all). */
	const char *title, *script, *label;
	/* Native: its function's first address as a native word, 0: not known. */
	u64 start;
	/* Script: the same of the C function that it stands for, 0: none. */
	u64 entry;
};

/* The function of a native frame was called by this name: it keeps that one of its
 * names; when it has it not, all.  name belongs to the caller, too. */
void fold_called(struct fold_frame *f, const char *name);

/* Bytes in front of a script frame's text that say where its function is from. */
size_t fold_package(const struct fold_frame *f);

/* Folds in place; frames are outermost first.  root: the native walk reached the
 * root.  Number of frames left. */
size_t fold_stack(struct fold_frame *frame, size_t n, bool root);
/* Take out, in place and before fold_stack(), the frames that are aside, and native
 * ones that they called.  An interpreter's outermost frame stays.  Number of frames
 * left. */
size_t fold_lexical(struct fold_frame *frame, size_t n);

#endif
