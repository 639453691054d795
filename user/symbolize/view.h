/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The view: from the raw frames of a stack (decode.h) to the frames to show.
 *
 * What files say of a native frame comes from a source: the files themselves
 * (symbolize.c) or a recording.
 */
#ifndef JPBPF_USER_SYMBOLIZE_VIEW_H
#define JPBPF_USER_SYMBOLIZE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "user/symbolize/fold.h"

struct address;
struct intern;

/* How frames are shown. */
struct view_options {
	bool internals; /* show every native frame of the interpreters */
	bool lines;	/* show source lines */
	bool inlines;	/* show functions that the compiler has inlined */
	bool branches;	/* mark the frames that WALKER_LEAVES_OUT leaves out */
	u32 walker_options; /* bit per enum walker_option_id */
	/* A function without a name is shown by the instruction's address. */
	bool addresses;
};

struct view {
	struct view_options options;
	const struct intern
		*texts; /* of the raw frames and of what find() gives */
	/* What is known of a native or kernel frame; NULL: nothing. */
	const struct address *(*find)(void *ctx, const struct frame *raw);
	void *ctx;
	struct fold_frame *frame; /* the view's, for the caller to free */
	size_t capacity;
};

/* raw: outermost first.  root: the walk reached the root.  *frames: those to show, owned by
 * the view and valid until the next call.  Returns their number. */
size_t view_stack(struct view *v, const struct frame *raw, size_t n, bool root,
		  const struct fold_frame **frames);

#endif
