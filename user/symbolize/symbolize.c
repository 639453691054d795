/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Words are turned round into struct fold_frame, outermost first, folded, and
 * what is left is handed out.
 *
 * Native words are looked up by addresses.c.  Frames of scripts are named anew each
 * time, because a text can arrive after the first frame that mentions it; their
 * texts, as all others, are interned and live as long as the symbolizer.
 *
 * Where a script frame is running comes before it, in a word of its own; it waits
 * for the walker's next frame.  Folding looks at names, so lines are put behind
 * them last.
 *
 * Words come from a file or from the kernel: a frame that claims more payload
 * than there are words ends the stack.
 */
#include "user/symbolize/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/status.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/fold.h"
#include "user/symbolize/kernel.h"
#include "user/symbolize/status.h"
#include "user/symbolize/strings.h"

#define UNKNOWN "[unknown]"

struct symbolizer {
	struct symbolizer_config config;
	struct kernel *kernel;
	struct strings *strings;
	struct addresses *addresses;
	struct buf scratch;
	const char
		*line[WALKER_COUNT]; /* for its next frame outward; or NULL */
	bool aside[WALKER_COUNT];    /* its next frame outward is that */
	bool chained;		     /* the marker of this stack was shown */
	bool says_where;	     /* what walkers' line() appends is shown */
	bool leaves_out;	     /* frames that are aside are not */
	struct fold_frame *frame;
	size_t frame_capacity;
	struct stack_name *name;
	size_t name_capacity;
};

static const char *intern(struct symbolizer *s, const char *text)
{
	return strings_intern(s->strings, text);
}

struct symbolizer *symbolizer_new(const struct symbolizer_config *config)
{
	struct symbolizer *s = xcalloc(1, sizeof(*s));

	s->config = *config;
	s->says_where = config->view.lines ||
			walker_options_have(config->view.walker_options,
					    WALKER_SAYS_WHERE);
	s->leaves_out = walker_options_have(config->view.walker_options,
					    WALKER_LEAVES_OUT);
	s->kernel = kernel_new("/proc/kallsyms");
	s->strings = strings_new();
	s->addresses = addresses_new(&s->config, s->strings);
	return s;
}

void symbolizer_free(struct symbolizer *s)
{
	if (!s)
		return;
	addresses_free(s->addresses);
	strings_free(s->strings);
	kernel_free(s->kernel);
	buf_release(&s->scratch);
	free(s->frame);
	free(s->name);
	free(s);
}

static struct fold_frame native_frame(struct symbolizer *s, u64 word)
{
	struct address *a = addresses_find(s->addresses, word);

	if (!a)
		return (struct fold_frame){ .kind = NAME_NATIVE,
					    .text = UNKNOWN };
	if (s->config.view.internals)
		addresses_text(s->addresses, a);
	return a->frame;
}

/* false: a whole stack needs no frame that says so. */
static bool status_frame(struct symbolizer *s, u64 status,
			 struct fold_frame *out)
{
	/* What stands outward of the first one may be wrong: that says it all. */
	if (status == NATIVE_CHAIN && s->chained && !s->config.view.internals)
		return false;
	s->chained |= status == NATIVE_CHAIN;
	buf_reset(&s->scratch);
	if (!status_name(status, &s->scratch))
		return false;
	*out = (struct fold_frame){ .kind = NAME_STATUS,
				    .text = intern(s, buf_text(&s->scratch)) };
	return true;
}

/* Words that are no frame: what is to be known of the walker's next one outward. */
static bool take_line(struct symbolizer *s, const u64 *word, u32 id)
{
	const struct walker *w = walkers[id];

	if (w->frame.aside && w->frame.aside(word[0])) {
		s->aside[id] = true;
		return true;
	}
	buf_reset(&s->scratch);
	if (!w->frame.line ||
	    !w->frame.line(word, &s->config.texts, &s->scratch))
		return false;
	if (s->says_where && s->scratch.len)
		s->line[id] = intern(s, buf_text(&s->scratch));
	return true;
}

/* Words that are no frame: how the function of the frame just inward, which ends
 * before out, was called. */
static bool take_called(struct symbolizer *s, const u64 *word,
			const struct walker *w, struct fold_frame *out)
{
	buf_reset(&s->scratch);
	if (!w->frame.called ||
	    !w->frame.called(word, &s->config.texts, &s->scratch))
		return false;
	if (out > s->frame && out[-1].walker == w)
		fold_called(out - 1, intern(s, buf_text(&s->scratch)));
	return true;
}

/* A frame that is not shown, though its C function is not to be shown either: the
 * same command stands outward. */
static bool silent_frame(struct symbolizer *s, u64 entry,
			 const struct walker *w, struct fold_frame *out)
{
	if (!entry || s->config.view.internals)
		return false;
	*out = (struct fold_frame){ .kind = NAME_SCRIPT,
				    .flags = FOLD_DROP,
				    .text = "",
				    .walker = w,
				    .entry = entry };
	return true;
}

/* false: not to be shown. */
static bool script_frame(struct symbolizer *s, const u64 *word,
			 struct fold_frame *out)
{
	u32 id = frame_kind(*word) - FRAME_WALKER;
	const struct walker *w = id < WALKER_COUNT ? walkers[id] : NULL;
	const char *line;
	bool aside;
	u64 entry;

	if (!w || take_line(s, word, id) || take_called(s, word, w, out))
		return false;
	line = s->line[id];
	aside = s->aside[id];
	s->line[id] = NULL;
	s->aside[id] = false;
	entry = w->frame.entry ? w->frame.entry(word) : 0;
	buf_reset(&s->scratch);
	if (!w->frame.name ||
	    !w->frame.name(word, &s->config.texts, &s->scratch))
		return silent_frame(s, entry, w, out);
	*out = (struct fold_frame){
		.kind = NAME_SCRIPT,
		.flags = aside ? FOLD_ASIDE : 0,
		.text = intern(s, buf_text(&s->scratch)),
		.line = line,
		.walker = w,
		.entry = entry,
	};
	return true;
}

static bool decode(struct symbolizer *s, const u64 *word,
		   struct fold_frame *out)
{
	switch (frame_kind(*word)) {
	case FRAME_NONE:
		return false;
	case FRAME_NATIVE:
		*out = native_frame(s, *word);
		return true;
	case FRAME_UNMAPPED:
		*out = (struct fold_frame){ .kind = NAME_NATIVE,
					    .text = UNKNOWN };
		return true;
	case FRAME_KERNEL:
		*out = (struct fold_frame){
			.kind = NAME_KERNEL,
			.text = kernel_name(s->kernel, *word),
		};
		return true;
	case FRAME_STATUS:
		return status_frame(s, *word & FRAME_VALUE58_MASK, out);
	default:
		return script_frame(s, word, out);
	}
}

/* The functions that stand in the one of this word. Number of frames then. */
static size_t add_inlined(struct symbolizer *s, u64 word, size_t n)
{
	struct address *a = NULL;

	if (s->config.view.inlines && frame_kind(word) == FRAME_NATIVE)
		a = addresses_find(s->addresses, word);
	for (size_t i = 0; a && i < a->inlines; i++) {
		s->frame = xgrow(s->frame, n, &s->frame_capacity,
				 sizeof(*s->frame));
		s->frame[n++] = a->inlined[i];
	}
	return n;
}

/* Fill s->frame, outermost first. */
static size_t read_frames(struct symbolizer *s, const u64 *word, size_t words)
{
	size_t n = 0;

	memset(s->line, 0, sizeof(s->line));
	memset(s->aside, 0, sizeof(s->aside));
	s->chained = false;
	for (size_t i = 0; i < words; i += 1 + frame_extra(word[i])) {
		if (frame_extra(word[i]) >= words - i)
			break;
		n = add_inlined(s, word[i], n);
		s->frame = xgrow(s->frame, n, &s->frame_capacity,
				 sizeof(*s->frame));
		n += decode(s, word + i, &s->frame[n]);
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct fold_frame f = s->frame[i];

		s->frame[i] = s->frame[n - 1 - i];
		s->frame[n - 1 - i] = f;
	}
	return n;
}

static const char *full_text(struct symbolizer *s, const struct fold_frame *f)
{
	if (!f->line)
		return f->text;
	buf_reset(&s->scratch);
	buf_adds(&s->scratch, f->text);
	buf_adds(&s->scratch, f->line);
	return intern(s, buf_text(&s->scratch));
}

size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct stack_name **names)
{
	size_t n = read_frames(s, word, words);

	if (s->leaves_out)
		n = fold_lexical(s->frame, n);
	if (!s->config.view.internals)
		n = fold_stack(s->frame, n, root);
	for (size_t i = 0; i < n; i++) {
		const struct fold_frame *f = &s->frame[i];

		s->name =
			xgrow(s->name, i, &s->name_capacity, sizeof(*s->name));
		s->name[i] = (struct stack_name){
			.text = full_text(s, f),
			.module = f->module,
			.kind = f->kind,
			.nameless = f->flags & FOLD_NAMELESS,
			.before = fold_package(f),
			.behind = f->line ? strlen(f->line) : 0,
		};
	}
	*names = s->name;
	return n;
}
