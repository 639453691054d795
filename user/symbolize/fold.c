/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Three passes mark frames; a last one removes the marked frames.
 *
 *   start-up  At the outer end: the C library's start of a process or thread, as far
 *             as it reaches without a gap.  This pass runs only if the walk reached the
 *             root, because otherwise it is not known what the outermost frame is.  A
 *             program that embeds an interpreter keeps all frames of its own.
 *   entries   A command that is written in C is in the stack under its name in the
 *             script; the frame of its C function would say the same again.
 *   runs      Consecutive native frames of one interpreter are a run.  Of a run, only
 *             functions that scripts know by a name are shown.  A run at the leaf is
 *             where the time went, so one frame of the interpreter itself stands for
 *             the run unless another frame covers it.
 *
 * These frames cover a run: a function of the run that is shown by its script name, a
 * script frame of that name just outward of the function (the closure `paste` around
 * the builtin `paste`), and the command that the run implements.
 */
#include "user/symbolize/fold.h"

#include <string.h>

#include "walkers/walker.h"

/* Frames of the start: _start, __libc_start_main and its callee; or clone3 and
 * start_thread. */
#define START_FRAMES 3

static bool is(const struct fold_frame *f, enum frame_type type)
{
	return f->frame.type == type;
}

static bool is_native(const struct fold_frame *f)
{
	return is(f, FRAME_IS_C) || is(f, FRAME_IS_INLINED) ||
	       is(f, FRAME_IS_JIT);
}

static bool own(const struct fold_frame *f)
{
	return is_native(f) && f->walker;
}

/* Whether name is one of names, which are joined by "|"; NULL: none. */
static bool is_one_of(const char *name, const char *names)
{
	size_t len = strlen(name);

	for (const char *at = names; at && len && (at = strstr(at, name));
	     at++) {
		if ((at == names || at[-1] == '|') &&
		    (at[len] == '|' || !at[len]))
			return true;
	}
	return false;
}

void fold_called(struct fold_frame *f, const char *name, u32 text)
{
	if (!own(f) || !is_one_of(name, f->script))
		return;
	f->script = name;
	f->label = text;
}

/* Number of frames outward of main(); 0 if main() is not near the root. */
static size_t before_main(const struct fold_frame *frame, size_t n)
{
	for (size_t i = 0; i < n && i <= START_FRAMES; i++)
		if (frame[i].flags & FOLD_MAIN)
			return i;
	return 0;
}

static void drop_start_up(struct fold_frame *frame, size_t n)
{
	size_t main = before_main(frame, n);

	for (size_t i = 0; i < n; i++) {
		/* Without symbols the C library's own start has no names either. */
		bool bare = i < START_FRAMES && frame[i].flags & FOLD_BARE_LIBC;

		if (is(&frame[i], FRAME_IS_MARKER))
			continue;
		if (i >= main && !bare && !(frame[i].flags & FOLD_START_UP))
			return;
		frame[i].flags |= FOLD_DROP;
	}
}

static void take_place(struct frame *to, const struct frame *from)
{
	if (to->file || to->line || to->expression)
		return;
	to->file = from->file;
	to->line = from->line;
}

/* Drop the frame of a command's C function.  Frames of the interpreter may lie between
 * the command and its function: not every build calls it from the evaluator by a tail
 * call. */
static void drop_entry(struct fold_frame *frame, size_t n, size_t command)
{
	for (size_t i = command + 1; i < n; i++) {
		if (!is_native(&frame[i]))
			return;
		if (frame[i].start == frame[command].entry) {
			frame[i].flags |= FOLD_DROP;
			take_place(&frame[command].frame, &frame[i].frame);
			return;
		}
		if (!own(&frame[i]))
			return;
	}
}

static bool at_leaf(const struct fold_frame *frame, size_t n, size_t end)
{
	while (end < n && (is(&frame[end], FRAME_IS_KERNEL) ||
			   is(&frame[end], FRAME_IS_MARKER)))
		end++;
	return end == n;
}

/* Show one frame of a run by its script name, or drop it.  outer: the next shown
 * script frame outward, or NULL.  True if f or outer covers the run. */
static bool fold_own(struct fold_frame *f, const struct fold_frame *outer)
{
	bool named = f->script && !(f->flags & FOLD_DROP) &&
		     !is_one_of(f->script, f->walker->language.glue);

	f->flags |= FOLD_DROP;
	if (!named)
		return false;
	if (outer && outer->walker == f->walker &&
	    is_one_of(outer->name, f->script))
		return true;
	f->flags &= ~FOLD_DROP;
	f->name = f->script;
	f->frame = (struct frame){
		.type = FRAME_IS_SCRIPT,
		.walker = f->frame.walker,
		/* "<GC>" is the walker's word.  R has functions `<` and `<-`. */
		.flags = *f->script == '<' ? FRAME_OURS : 0,
		.name = f->label,
	};
	return true;
}

/* Fold the run [start, end).  Returns the next shown script frame outward of end. */
static const struct fold_frame *fold_run(struct fold_frame *frame, size_t start,
					 size_t end, bool leaf,
					 const struct fold_frame *outer)
{
	bool covered = start && is(&frame[start - 1], FRAME_IS_SCRIPT) &&
		       frame[start - 1].entry &&
		       frame[start - 1].walker == frame[start].walker;
	struct fold_frame *last = &frame[end - 1];

	for (size_t i = start; i < end; i++) {
		if (fold_own(&frame[i], outer))
			covered = true;
		if (!(frame[i].flags & FOLD_DROP))
			outer = &frame[i];
	}
	if (leaf && !covered) {
		last->flags &= ~FOLD_DROP;
		last->frame = (struct frame){
			.type = FRAME_IS_INTERPRETER,
			.walker = last->frame.walker,
			.module = last->frame.module,
			.name = last->title,
		};
	}
	return outer;
}

static void fold_runs(struct fold_frame *frame, size_t n)
{
	const struct fold_frame *outer = NULL;
	size_t i = 0;

	while (i < n) {
		size_t end = i + 1;

		if (own(&frame[i])) {
			while (end < n && own(&frame[end]) &&
			       frame[end].walker == frame[i].walker)
				end++;
			outer = fold_run(frame, i, end, at_leaf(frame, n, end),
					 outer);
		} else if (is(&frame[i], FRAME_IS_SCRIPT) &&
			   !(frame[i].flags & FOLD_DROP)) {
			outer = &frame[i];
		}
		i = end;
	}
}

size_t fold_stack(struct fold_frame *frame, size_t n, bool root)
{
	size_t kept = 0;

	if (root)
		drop_start_up(frame, n);
	for (size_t i = 0; i < n; i++) {
		if (is(&frame[i], FRAME_IS_SCRIPT) && frame[i].entry)
			drop_entry(frame, n, i);
	}
	fold_runs(frame, n);
	for (size_t i = 0; i < n; i++) {
		if (!(frame[i].flags & FOLD_DROP))
			frame[kept++] = frame[i];
	}
	return kept;
}

/* Whether frame i is the first script frame of its interpreter. */
static bool is_outermost(const struct fold_frame *frame, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (is(&frame[k], FRAME_IS_SCRIPT) &&
		    frame[k].walker == frame[i].walker)
			return false;
	}
	return true;
}

size_t fold_lexical(struct fold_frame *frame, size_t n, bool marks)
{
	bool aside = false;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (is(&frame[i], FRAME_IS_SCRIPT))
			aside = frame[i].flags & FOLD_ASIDE &&
				!is_outermost(frame, i);
		else if (!is_native(&frame[i]))
			aside = false;
		if (aside && marks)
			frame[i].frame.flags |= FRAME_ASIDE;
		if (!aside || marks)
			frame[kept++] = frame[i];
	}
	return kept;
}
