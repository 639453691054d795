/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A walker's words are read once: the same words say the same as long as no text
 * arrives.
 *
 * The place where a script frame runs, or what it evaluates, comes in a word of its own
 * before the frame.  It is kept as a note until the walker's next frame.
 *
 * Words come from a file or from the kernel, so they are not trusted: a frame that
 * claims more payload than there are words ends the stack.
 */
#include "user/symbolize/decode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/debuginfo/demangle.h"
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

/* What a walker's words say: a frame, or in its fields what is known of one. */
struct said {
	enum walker_says says;
	struct frame frame;
};

struct decoder {
	struct intern *texts;
	struct walker_texts find;
	bool where;
	struct walker_text text;
	struct note note[WALKER_COUNT];
	struct intern *scripts; /* words of walkers */
	struct said *said;	/* what they say, by their ids */
	size_t said_capacity;
	struct frame *frame;
	size_t capacity;
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
	free(d->said);
	buf_release(&d->text.name);
	buf_release(&d->text.file);
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

static void take_place(struct note *note, const struct frame *place)
{
	if (!place->file && !place->line && !place->name)
		return;
	note->file = place->file;
	note->line = place->line;
	note->expression = place->name;
}

/* Tell the frame just inward, out[-1], by which name its function was called. */
static void take_called(struct decoder *d, const struct frame *called,
			struct frame *out)
{
	if (out == d->frame || out[-1].type != FRAME_IS_C)
		return;
	out[-1].called = called->name;
	out[-1].walker = called->walker;
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

static struct said read_words(struct decoder *d, u32 walker, const u64 *word)
{
	struct walker_text *t = &d->text;
	struct said s;

	buf_reset(&t->name);
	buf_reset(&t->file);
	*t = (struct walker_text){ .name = t->name, .file = t->file };
	s.says = walkers[walker]->read(word, &d->find, t);
	s.frame = (struct frame){
		.type = FRAME_IS_SCRIPT,
		.walker = walker,
		.flags = t->flags,
		.space = intern_text(d->texts, t->space ? t->space : ""),
		.name = intern_text(d->texts, buf_text(&t->name)),
		.file = intern_text(d->texts, buf_text(&t->file)),
		.line = t->line,
	};
	if (s.says == WALKER_SILENT)
		s.frame.flags |= FRAME_SILENT;
	if (frame_kind(t->entry) == FRAME_NATIVE) {
		s.frame.module = frame_file(t->entry) + 1;
		s.frame.address = frame_addr(t->entry);
	}
	return s;
}

/* What the words of a walker say. */
static const struct said *said_by(struct decoder *d, u32 walker,
				  const u64 *word)
{
	const struct intern_key words = {
		word, (1 + frame_extra(*word)) * sizeof(*word), NULL, 0
	};
	size_t known = intern_count(d->scripts);
	u32 id = intern_id(d->scripts, &words, true);

	if (id == known) {
		d->said =
			xgrow(d->said, id, &d->said_capacity, sizeof(*d->said));
		d->said[id] = read_words(d, walker, word);
	}
	return &d->said[id];
}

/* False if the words give no frame. */
static bool script_frame(struct decoder *d, const u64 *word, struct frame *out)
{
	u32 walker = frame_kind(*word) - FRAME_WALKER;
	const struct said *s;

	if (walker >= WALKER_COUNT || !walkers[walker]->read)
		return false;
	s = said_by(d, walker, word);
	if (s->says == WALKER_PLACE && d->where)
		take_place(&d->note[walker], &s->frame);
	if (s->says == WALKER_CALLED)
		take_called(d, &s->frame, out);
	if (s->says == WALKER_ASIDE)
		d->note[walker].aside = true;
	if (s->says != WALKER_FRAME && s->says != WALKER_SILENT)
		return false;
	*out = s->frame;
	take_note(d, out);
	return true;
}

/* Append the text, each number in it as N, so that messages that differ in numbers only
 * are one. */
static void add_folded(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text))
			buf_addc(out, *text);
		else if (!out->len || out->data[out->len - 1] != 'N' ||
			 !isdigit((unsigned char)text[-1]))
			buf_addc(out, 'N');
	}
}

/* "class: message" */
static bool condition_frame(struct decoder *d, const u64 *word,
			    struct frame *out)
{
	const char *class = d->find.find(d->find.ctx, word[1]);
	const char *message = d->find.find(d->find.ctx, word[2]);
	struct buf *name = &d->text.name;

	buf_reset(name);
	if (frame_sub(*word))
		buf_adds(name, class ? class : "error");
	else if (!class || !demangle_type(class, name))
		buf_adds(name, "C++ exception");
	if (message) {
		buf_adds(name, ": ");
		add_folded(name, message);
	}
	*out = (struct frame){ .type = FRAME_IS_MARKER,
			       .flags = FRAME_ERROR,
			       .name = intern_text(d->texts, buf_text(name)) };
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
	case FRAME_CONDITION:
		return frame_extra(*word) == 2 && condition_frame(d, word, out);
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
