/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Turns the words of a stack into struct fold_frame, outermost first, folds them, and
 * hands out what is left.
 *
 * Native words are looked up by addresses.c.  A script frame is read once: the same
 * words give the same frame as long as no text arrives, and none does while a symbolizer
 * is in use.
 *
 * The place where a script frame runs, or what it evaluates, comes in a word of its own
 * before the frame.  It is kept as a note until the walker's next frame.
 *
 * Words come from a file or from the kernel, so they are not trusted: a frame that
 * claims more payload than there are words ends the stack.
 */
#include "user/symbolize/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/lib/buf.h"
#include "user/lib/heap.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/fold.h"
#include "user/symbolize/kernel.h"
#include "user/symbolize/status.h"

/* For each word: what is new in a stack of script frames. */
#define SCRIPT_BYTES 64

/* What words have said about a walker's next frame outward. */
struct note {
	u32 file, line, expression;
	bool aside;
};

struct symbolizer {
	struct symbolizer_config config;
	struct kernel *kernel;
	struct intern *texts;
	struct addresses *addresses;
	struct walker_text text;
	struct note note[WALKER_COUNT];
	struct intern *scripts;	   /* words of script frames */
	struct fold_frame *script; /* what they were read as, by their ids */
	size_t script_capacity;
	bool chained; /* NATIVE_CHAIN was shown in this stack */
	/* Show where script frames run, or what they evaluate. */
	bool says_where;
	struct fold_frame *frame;
	size_t capacity;
	void *memory[WALKER_COUNT]; /* of walkers, see struct walker_text */
};

struct symbolizer *symbolizer_new(const struct symbolizer_config *config)
{
	struct symbolizer *s = xcalloc(1, sizeof(*s));

	s->config = *config;
	s->says_where = config->view.lines ||
			walker_options_have(config->view.walker_options,
					    WALKER_SAYS_WHERE);
	s->kernel = kernel_new("/proc/kallsyms");
	s->texts = intern_new_texts();
	s->scripts = intern_new();
	s->addresses = addresses_new(&s->config, s->texts);
	return s;
}

void symbolizer_free(struct symbolizer *s)
{
	if (!s)
		return;
	addresses_free(s->addresses);
	intern_free(s->texts);
	intern_free(s->scripts);
	free(s->script);
	kernel_free(s->kernel);
	buf_release(&s->text.name);
	buf_release(&s->text.file);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		free(s->memory[i]);
	free(s->frame);
	free(s);
}

struct intern *symbolizer_texts(struct symbolizer *s)
{
	return s->texts;
}

static struct fold_frame plain_frame(enum frame_type type, u16 flags, u32 name)
{
	return (struct fold_frame){
		.frame = { .type = type, .flags = flags, .name = name }
	};
}

/* False if no frame is needed, because the stack is whole. */
static bool status_frame(struct symbolizer *s, u64 id, struct fold_frame *out)
{
	const struct status *status = status_find(id);
	const char *text = id == WALK_USER_MODE ? "user mode" : status->text;
	u16 flags = 0;

	/* One marker is enough: it says that all frames outward of it may be wrong. */
	if (id == NATIVE_CHAIN && s->chained && !s->config.view.internals)
		return false;
	s->chained |= id == NATIVE_CHAIN;
	if (status->class == STATUS_CLASS_CUT)
		flags = FRAME_CUT;
	else if (status->class == STATUS_CLASS_MISSING)
		flags = FRAME_MISSING;
	*out = plain_frame(FRAME_IS_MARKER, flags, intern_text(s->texts, text));
	return status->class != STATUS_CLASS_ROOT || id == WALK_USER_MODE;
}

static void take_place(struct symbolizer *s, struct note *note)
{
	const struct walker_text *t = &s->text;

	if (!t->file.len && !t->line && !t->name.len)
		return;
	note->file = intern_text(s->texts, buf_text(&t->file));
	note->line = t->line;
	note->expression = intern_text(s->texts, buf_text(&t->name));
}

/* Tell the frame just inward, out[-1], by which name its function was called. */
static void take_called(struct symbolizer *s, const struct walker *w,
			struct fold_frame *out)
{
	u32 name = intern_text(s->texts, buf_text(&s->text.name));

	if (out > s->frame && out[-1].walker == w)
		fold_called(out - 1, intern_get(s->texts, name, NULL), name);
}

static void named_frame(struct symbolizer *s, u32 id, struct fold_frame *out)
{
	const struct walker_text *t = &s->text;
	u32 name = intern_text(s->texts, buf_text(&t->name));

	*out = (struct fold_frame){
		.frame = {
			.type = FRAME_IS_SCRIPT,
			.walker = id,
			.flags = t->flags,
			.space = intern_text(s->texts, t->space ? t->space : ""),
			.name = name,
		},
		.name = intern_get(s->texts, name, NULL),
		.walker = walkers[id],
		.entry = t->entry,
	};
}

/* Add to the frame what was noted for it. */
static void take_note(struct symbolizer *s, struct fold_frame *f)
{
	struct note *note = &s->note[f->frame.walker];

	f->frame.file = note->file;
	f->frame.line = note->line;
	f->frame.expression = note->expression;
	f->flags |= note->aside ? FOLD_ASIDE : 0;
	*note = (struct note){ 0 };
}

/* False if the words give no frame to show. */
static bool script_read(struct symbolizer *s, const u64 *word,
			struct fold_frame *out)
{
	u32 id = frame_kind(*word) - FRAME_WALKER;
	const struct walker *w = id < WALKER_COUNT ? walkers[id] : NULL;
	struct walker_text *t = &s->text;
	enum walker_says says;

	if (!w || !w->read)
		return false;
	buf_reset(&t->name);
	buf_reset(&t->file);
	*t = (struct walker_text){ .name = t->name,
				   .file = t->file,
				   .memory = &s->memory[id] };
	says = w->read(word, &s->config.texts, t);
	if (says == WALKER_PLACE && s->says_where)
		take_place(s, &s->note[id]);
	if (says == WALKER_CALLED)
		take_called(s, w, out);
	if (says == WALKER_ASIDE)
		s->note[id].aside = true;
	if (says != WALKER_FRAME && says != WALKER_SILENT)
		return false;
	named_frame(s, id, out);
	if (says == WALKER_SILENT) {
		/* The frame is dropped by folding, and with it its C function: the
		 * same command stands outward. */
		out->flags |= FOLD_DROP;
		take_note(s, out);
		return out->entry && !s->config.view.internals;
	}
	return true;
}

static bool script_frame(struct symbolizer *s, const u64 *word,
			 struct fold_frame *out)
{
	const struct intern_key words = {
		word, (1 + frame_extra(*word)) * sizeof(*word), NULL, 0
	};
	u32 id = intern_id(s->scripts, &words, false);

	if (id != INTERN_NONE) {
		*out = s->script[id];
	} else {
		if (!script_read(s, word, out))
			return false;
		if (out->flags & FOLD_DROP)
			return true;
		id = intern_id(s->scripts, &words, true);
		s->script = xgrow(s->script, id, &s->script_capacity,
				  sizeof(*s->script));
		s->script[id] = *out;
	}
	take_note(s, out);
	return true;
}

static bool decode(struct symbolizer *s, const u64 *word,
		   struct fold_frame *out)
{
	switch (frame_kind(*word)) {
	case FRAME_NONE:
		return false;
	case FRAME_UNMAPPED:
		*out = plain_frame(FRAME_IS_C, 0, 0);
		return true;
	case FRAME_KERNEL:
		*out = plain_frame(
			FRAME_IS_KERNEL, 0,
			intern_text(s->texts, kernel_name(s->kernel, *word)));
		return true;
	case FRAME_STATUS:
		return status_frame(s, *word & FRAME_VALUE58_MASK, out);
	default:
		return script_frame(s, word, out);
	}
}

/* Append the functions inlined at this native address, then its own.  Returns the new
 * number of frames. */
static size_t add_native(struct symbolizer *s, u64 word, size_t n)
{
	const struct address *a = addresses_find(s->addresses, word);
	size_t inlines = a && s->config.view.inlines ? a->inlines : 0;

	for (size_t i = 0; i <= inlines; i++) {
		s->frame = xgrow(s->frame, n, &s->capacity, sizeof(*s->frame));
		if (i < inlines)
			s->frame[n++] = a->inlined[i];
		else
			s->frame[n++] =
				a ? a->frame : plain_frame(FRAME_IS_C, 0, 0);
	}
	return n;
}

/* Fill s->frame, outermost first.  Returns the number of frames. */
static size_t read_frames(struct symbolizer *s, const u64 *word, size_t words)
{
	size_t n = 0;

	memset(s->note, 0, sizeof(s->note));
	s->chained = false;
	for (size_t i = 0; i < words; i += 1 + frame_extra(word[i])) {
		if (frame_extra(word[i]) >= words - i)
			break;
		if (frame_kind(word[i]) == FRAME_NATIVE) {
			n = add_native(s, word[i], n);
			continue;
		}
		s->frame = xgrow(s->frame, n, &s->capacity, sizeof(*s->frame));
		n += decode(s, word + i, &s->frame[n]);
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct fold_frame f = s->frame[i];

		s->frame[i] = s->frame[n - 1 - i];
		s->frame[n - 1 - i] = f;
	}
	return n;
}

bool symbolizer_expect(struct symbolizer *s, const u64 *word, size_t words)
{
	bool fits =
		heap_fits(HEAP_READING, words * SCRIPT_BYTES) &&
		heap_grows(HEAP_READING, words, s->capacity, sizeof(*s->frame));

	for (size_t i = 0; fits && i < words; i += 1 + frame_extra(word[i]))
		if (frame_kind(word[i]) == FRAME_NATIVE)
			fits = addresses_expect(s->addresses, word[i]);
	return fits;
}

size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct fold_frame **frames)
{
	size_t n = read_frames(s, word, words);

	if (walker_options_have(s->config.view.walker_options,
				WALKER_LEAVES_OUT))
		n = fold_lexical(s->frame, n);
	if (!s->config.view.internals)
		n = fold_stack(s->frame, n, root);
	*frames = s->frame;
	return n;
}
