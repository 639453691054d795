/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Raw frames get what is known of them, and then are folded (fold.h). */
#include "user/symbolize/view.h"

#include <jpbpf/frame.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/addresses.h"
#include "walkers/walker.h"

static struct fold_frame *add(struct view *v, size_t *n)
{
	v->frame = xgrow(v->frame, *n, &v->capacity, sizeof(*v->frame));
	return &v->frame[(*n)++];
}

/* The function itself, then those inlined at this address, the innermost last. */
static void add_native(struct view *v, const struct frame *raw, size_t *n)
{
	const struct address *a = v->find(v->ctx, raw);
	size_t inlines = a && v->options.inlines ? a->inlines : 0;
	struct fold_frame *f = add(v, n);

	*f = a ? a->frame : (struct fold_frame){ .frame.type = raw->type };
	if (raw->called && f->walker == walkers[raw->walker])
		fold_called(f, intern_get(v->texts, raw->called, NULL),
			    raw->called);
	while (inlines)
		*add(v, n) = a->inlined[--inlines];
}

static void add_script(struct view *v, const struct frame *raw, size_t *n)
{
	bool has_entry = raw->module, silent = raw->flags & FRAME_SILENT;
	bool promises =
		walker_options_have(v->options.walker_options, WALKER_WRITES);
	struct fold_frame *f;

	if (raw->flags & FRAME_PROMISE && !promises)
		return;
	/* A silent frame is dropped by folding, and with it its C function: the same
	 * command stands outward. */
	if (silent && (!has_entry || v->options.internals))
		return;
	f = add(v, n);
	*f = (struct fold_frame){
		.frame = *raw,
		.flags = (raw->flags & FRAME_ASIDE ? FOLD_ASIDE : 0) |
			 (silent ? FOLD_DROP : 0),
		.name = intern_get(v->texts, raw->name, NULL),
		.walker = walkers[raw->walker],
		.entry = has_entry ? frame_native(raw->module - 1, raw->address)
				   : 0,
	};
	f->frame.flags &= ~(FRAME_ASIDE | FRAME_SILENT);
	f->frame.module = 0;
	f->frame.address = 0;
	if (!v->options.lines)
		f->frame.file = f->frame.line = 0;
}

static void add_marker(struct view *v, const struct frame *raw, size_t *n)
{
	struct fold_frame *f = add(v, n);

	*f = (struct fold_frame){ .frame = *raw };
	f->frame.flags &= ~FRAME_CHAIN;
}

static bool is_chain(const struct frame *raw)
{
	return raw->type == FRAME_IS_MARKER && raw->flags & FRAME_CHAIN;
}

/* The innermost marker of the frame pointers is enough: it says that all frames outward of
 * it may be wrong. */
static size_t innermost_chain(const struct frame *raw, size_t n)
{
	while (n && !is_chain(&raw[n - 1]))
		n--;
	return n - 1;
}

size_t view_stack(struct view *v, const struct frame *raw, size_t n, bool root,
		  const struct fold_frame **frames)
{
	size_t chain = innermost_chain(raw, n), kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool chains = is_chain(&raw[i]);

		if (raw[i].type == FRAME_IS_SCRIPT)
			add_script(v, &raw[i], &kept);
		else if (raw[i].type != FRAME_IS_MARKER)
			add_native(v, &raw[i], &kept);
		else if (!chains || i == chain || v->options.internals)
			add_marker(v, &raw[i], &kept);
	}
	if (v->options.branches ||
	    walker_options_have(v->options.walker_options, WALKER_LEAVES_OUT))
		kept = fold_lexical(v->frame, kept, v->options.branches);
	if (!v->options.internals)
		kept = fold_stack(v->frame, kept, root);
	*frames = v->frame;
	return kept;
}
