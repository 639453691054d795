/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Writes what files say of the frames that wait for it. */
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/files/modules.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/profile/tape_part.h"
#include "user/recording/writer.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/symbolize.h"

/* The number of functions that were named and begin at that word or before. */
static size_t find_named(const struct tape *t, u64 word)
{
	return SEARCH(t->named, t->nameds, start, word);
}

static u64 word_of(const struct frame *raw)
{
	return frame_native(raw->module - 1, raw->address);
}

/* Lines and inlined functions are of each address. */
static bool are_alike(const struct tape *t)
{
	return !t->config.view.lines && !t->config.view.inlines;
}

void tape_add_frame(struct tape *t, const struct frame *raw, u32 id)
{
	size_t at = raw->type == FRAME_IS_C && are_alike(t)
			    ? find_named(t, word_of(raw))
			    : 0;
	const struct named *n = at ? &t->named[at - 1] : NULL;

	if (n && word_of(raw) < n->end) {
		writer_address(t->writer,
			       &(struct recording_address){
				       .frame = id, .function = n->function });
		return;
	}
	t->unnamed = xgrow(t->unnamed, t->unnameds, &t->unnamed_capacity,
			   sizeof(*t->unnamed));
	t->unnamed[t->unnameds++] = (struct unnamed){ *raw, id };
}

/* Remember the function of a frame. */
static void remember(struct tape *t, const struct frame *raw,
		     const struct address *a, u32 function)
{
	struct named new = { .function = function };
	size_t at;

	if (!a->end)
		return;
	new.start = frame_native(raw->module - 1, a->start);
	new.end = frame_native(raw->module - 1, a->end);
	at = find_named(t, new.start);
	if (at && t->named[at - 1].start == new.start)
		return;
	t->named = xgrow(t->named, t->nameds, &t->named_capacity,
			 sizeof(*t->named));
	memmove(t->named + at + 1, t->named + at,
		(t->nameds++ - at) * sizeof(*t->named));
	t->named[at] = new;
}

/* What files say of a frame, by the ids of the symbolizer's texts.  Returns the id of its
 * function. */
static u32 put_address(struct tape *t, const struct unnamed *u,
		       const struct address *a, struct intern *texts)
{
	const struct frame *f = &a->frame.frame;
	bool has_name = !(f->flags & FRAME_ADDRESS);
	const struct recording_function function = {
		.module = tape_put_module(t, u->raw.module),
		.start = f->address,
		.name = has_name ? tape_put_text(t, texts, f->name) : 0,
		.script = a->frame.script
				  ? writer_text(t->writer, a->frame.script)
				  : 0,
		.role = (a->frame.flags & FOLD_MAIN ? RECORDING_MAIN : 0) |
			(a->frame.flags & FOLD_START_UP ? RECORDING_START_UP
							: 0) |
			(a->frame.flags & FOLD_BARE_LIBC ? RECORDING_LIBC : 0),
		.walker = a->frame.walker ? f->walker + 1u : 0,
	};
	struct recording_address out = {
		.frame = u->frame,
		.function = writer_id(t->writer, RECORDING_FUNCTION, &function),
		.file = tape_put_text(t, texts, f->file),
		.line = f->line,
		.code = f->type == FRAME_IS_JIT,
		.inlines = a->inlines,
	};
	struct recording_inlined *in = xcalloc(a->inlines, sizeof(*in));

	for (size_t i = 0; i < a->inlines; i++) {
		const struct frame *inner = &a->inlined[i].frame;

		in[i] = (struct recording_inlined){
			tape_put_text(t, texts, inner->name),
			tape_put_text(t, texts, inner->file), inner->line
		};
	}
	out.inlined = in;
	writer_address(t->writer, &out);
	free(in);
	return out.function;
}

static const struct module *find_module(void *ctx, u32 file)
{
	const struct tape *t = ctx;

	return modules_get(t->config.modules, file);
}

void tape_put_names(struct tape *t)
{
	const struct symbolizer_config config = {
		.module = find_module,
		.ctx = t,
		.view = t->config.view,
		.kernel = t->kernel,
	};
	struct symbolizer *s;

	if (!t->unnameds)
		return;
	s = symbolizer_new(&config);
	for (size_t i = 0; i < t->unnameds; i++)
		if (t->unnamed[i].raw.type == FRAME_IS_C)
			symbolizer_expect(s, word_of(&t->unnamed[i].raw));
	for (size_t i = 0; i < t->unnameds; i++) {
		const struct unnamed *u = &t->unnamed[i];
		const struct address *a = symbolizer_find(s, &u->raw);
		u32 function =
			a ? put_address(t, u, a, symbolizer_texts(s)) : 0;

		if (a && u->raw.type == FRAME_IS_C)
			remember(t, &u->raw, a, function);
	}
	t->unnameds = 0;
	symbolizer_free(s);
}
