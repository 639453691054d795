/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The text of a frame.  No other file makes one.
 *
 *   name_[i] name_[j] name_[k]     inlined, made at run time, of the kernel
 *   name_[t] name_[r]              Tcl's and R's, where that is asked for (--annotate)
 *   [libc.so.6+0x1234] [unknown]   without a name
 *   stats::optim ::ns::name        package or namespace, and name
 *   <anonymous fit.R:12> <promise x> coroutine name
 *   [R interpreter] [cut: reason] [missing: reason] [class: message]
 *
 * Behind the name stands the place where the frame runs, " (fit.R:12)" or " (#3)", or
 * the expression that it evaluates, " [f(x)]".
 *
 * What the target names is escaped (escape.h), so that the text tells the name and what
 * is written around it apart, and cannot be taken for one of the texts above.
 */
#ifndef JPBPF_USER_OUTPUT_TEXT_H
#define JPBPF_USER_OUTPUT_TEXT_H

#include <jpbpf/types.h>

struct buf;
struct frame;
struct intern;
struct profile;
struct profile_stack;

enum text_part { TEXT_SPACE = 1 << 0, TEXT_PLACE = 1 << 1 };

/* What a walker calls its interpreter: "Tcl"; "?" if there is no such walker. */
const char *text_title(u8 walker);
/* A frame's kind as a character: T Tcl, R R (the first letter of the walker's title), C
 * native, k kernel, i inlined, j made at run time, . interpreter, ! marker. */
char text_kind(const struct frame *f);
/* The kind as a word: "Tcl", "native", "kernel". */
const char *text_kind_name(const struct frame *f);

/* Where a module (struct frame) is, as well as that is known. */
const char *text_module(const struct profile *p, u32 module);

/* Append a name that stands alone: a command's. */
void text_name(const char *name, struct buf *out);

/* Append the frame's text.  parts: what to write besides the name.  A space that
 * belongs to the name (FRAME_QUALIFIED) is always written. */
void text_frame(const struct profile *p, const struct frame *f, unsigned parts,
		struct buf *out);

/* The same for formats that have fields for places: with the expression, without place. */
void text_function(const struct profile *p, const struct frame *f,
		   struct buf *out);

/* Append a line for each frame, the innermost first: its kind and its text.  Frames with
 * FRAME_ASIDE are indented. */
void text_stack(const struct profile *p, const struct profile_stack *s,
		struct buf *out);

/* Make the text of every frame once, in a way of the caller's.  Returns the ids in texts,
 * by frame ids; the caller frees them. */
typedef void text_put(const struct profile *p, const struct frame *f,
		      struct buf *out);
u32 *text_make(const struct profile *p, struct intern *texts, text_put *put);

#endif
