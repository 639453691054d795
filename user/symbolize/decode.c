/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A script frame is read once: the same words give the same frame as long as no text
 * arrives.
 *
 * The place where a script frame runs, or what it evaluates, comes in a word of its own
 * before the frame.  It is kept as a note until the walker's next frame.
 *
 * Words come from a file or from the kernel, so they are not trusted: a frame that
 * claims more payload than there are words ends the stack.
 */
#include "user/symbolize/decode.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/lib/buf.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/status.h"

/* For each word: what is new in a stack of script frames. */
#define SCRIPT_BYTES 64

/* What words have said about a walker's next frame outward. */
struct note {
	u32 file, line, expression;
	bool aside;
};

struct decoder {
	struct intern *texts;
	struct walker_texts find;
	bool where;
	struct walker_text text;
	struct note note[WALKER_COUNT];
	struct intern *scripts; /* words of script frames */
	struct frame *script;	/* what they were read as, by their ids */
	size_t script_capacity;
	struct frame *frame;
	size_t capacity;
	void *memory[WALKER_COUNT]; /* of walkers, see struct walker_text */
};

struct decoder *decoder_new(struct intern *texts,
			    const struct walker_texts *find, bool where)
{
	struct decoder *d = xcalloc(1, sizeof(*d));

	d->texts = texts;
	d->find = *find;
	d->where = where;
	d->scripts = intern_new();
	return d;
}

void decoder_free(struct decoder *d)
{
	if (!d)
		return;
	intern_free(d->scripts);
	free(d->script);
	buf_release(&d->text.name);
	buf_release(&d->text.file);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		free(d->memory[i]);
	free(d->frame);
	free(d);
}

/* False if no frame is needed, because the stack is whole. */
static bool status_frame(struct decoder *d, u64 id, struct frame *out)
{
	const struct status *status = status_find(id);
	const char *text = id == WALK_USER_MODE ? "user mode" : status->text;

	*out = (struct frame){ .type = FRAME_IS_MARKER,
			       .name = intern_text(d->texts, text) };
	if (id == NATIVE_CHAIN)
		out->flags = FRAME_CHAIN;
	else if (status->class == STATUS_CLASS_CUT)
		out->flags = FRAME_CUT;
	else if (status->class == STATUS_CLASS_MISSING)
		out->flags = FRAME_MISSING;
	return status->class != STATUS_CLASS_ROOT || id == WALK_USER_MODE;
}

static void take_place(struct decoder *d, struct note *note)
{
	const struct walker_text *t = &d->text;

	if (!t->file.len && !t->line && !t->name.len)
		return;
	note->file = intern_text(d->texts, buf_text(&t->file));
	note->line = t->line;
	note->expression = intern_text(d->texts, buf_text(&t->name));
}

/* Tell the frame just inward, out[-1], by which name its function was called. */
static void take_called(struct decoder *d, u32 walker, struct frame *out)
{
	if (out == d->frame || out[-1].type != FRAME_IS_C)
		return;
	out[-1].called = intern_text(d->texts, buf_text(&d->text.name));
	out[-1].walker = walker;
}

static void named_frame(struct decoder *d, u32 id, struct frame *out)
{
	const struct walker_text *t = &d->text;

	*out = (struct frame){
		.type = FRAME_IS_SCRIPT,
		.walker = id,
		.flags = t->flags,
		.space = intern_text(d->texts, t->space ? t->space : ""),
		.name = intern_text(d->texts, buf_text(&t->name)),
	};
	if (frame_kind(t->entry) == FRAME_NATIVE) {
		out->module = frame_file(t->entry) + 1;
		out->address = frame_addr(t->entry);
	}
}

/* Add to the frame what was noted for it. */
static void take_note(struct decoder *d, struct frame *f)
{
	struct note *note = &d->note[f->walker];

	f->file = note->file;
	f->line = note->line;
	f->expression = note->expression;
	f->flags |= note->aside ? FRAME_ASIDE : 0;
	*note = (struct note){ 0 };
}

/* False if the words give no frame. */
static bool script_read(struct decoder *d, const u64 *word, struct frame *out)
{
	u32 id = frame_kind(*word) - FRAME_WALKER;
	const struct walker *w = id < WALKER_COUNT ? walkers[id] : NULL;
	struct walker_text *t = &d->text;
	enum walker_says says;

	if (!w || !w->read)
		return false;
	buf_reset(&t->name);
	buf_reset(&t->file);
	*t = (struct walker_text){ .name = t->name,
				   .file = t->file,
				   .memory = &d->memory[id] };
	says = w->read(word, &d->find, t);
	if (says == WALKER_PLACE && d->where)
		take_place(d, &d->note[id]);
	if (says == WALKER_CALLED)
		take_called(d, id, out);
	if (says == WALKER_ASIDE)
		d->note[id].aside = true;
	if (says != WALKER_FRAME && says != WALKER_SILENT)
		return false;
	named_frame(d, id, out);
	if (says == WALKER_SILENT)
		out->flags |= FRAME_SILENT;
	return true;
}

static bool script_frame(struct decoder *d, const u64 *word, struct frame *out)
{
	const struct intern_key words = {
		word, (1 + frame_extra(*word)) * sizeof(*word), NULL, 0
	};
	u32 id = intern_id(d->scripts, &words, false);

	if (id != INTERN_NONE) {
		*out = d->script[id];
	} else {
		if (!script_read(d, word, out))
			return false;
		id = intern_id(d->scripts, &words, true);
		d->script = xgrow(d->script, id, &d->script_capacity,
				  sizeof(*d->script));
		d->script[id] = *out;
	}
	take_note(d, out);
	return true;
}

/* False if the words give no frame. */
static bool decode(struct decoder *d, const u64 *word, struct frame *out)
{
	switch (frame_kind(*word)) {
	case FRAME_NONE:
		return false;
	case FRAME_NATIVE:
		*out = (struct frame){ .type = FRAME_IS_C,
				       .module = frame_file(*word) + 1,
				       .address = frame_addr(*word) };
		return true;
	case FRAME_UNMAPPED:
		*out = (struct frame){ .type = FRAME_IS_C };
		return true;
	case FRAME_KERNEL:
		*out = (struct frame){ .type = FRAME_IS_KERNEL,
				       .address = *word };
		return true;
	case FRAME_STATUS:
		return status_frame(d, *word & FRAME_VALUE58_MASK, out);
	default:
		return script_frame(d, word, out);
	}
}

size_t decoder_stack(struct decoder *d, const u64 *word, size_t words,
		     const struct frame **frames)
{
	size_t n = 0;

	memset(d->note, 0, sizeof(d->note));
	for (size_t i = 0; i < words; i += 1 + frame_extra(word[i])) {
		if (frame_extra(word[i]) >= words - i)
			break;
		d->frame = xgrow(d->frame, n, &d->capacity, sizeof(*d->frame));
		n += decode(d, word + i, &d->frame[n]);
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct frame f = d->frame[i];

		d->frame[i] = d->frame[n - 1 - i];
		d->frame[n - 1 - i] = f;
	}
	*frames = d->frame;
	return n;
}
