/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The frame's type and flags decide what is written around its name. */
#include "user/output/text.h"

#include <ctype.h>

#include <jpbpf/walkers.h>

#include "user/profile/profile.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"

/* By type: its character, its word, and what is written behind names.  Scripts have
 * their walker's title instead. */
static const struct {
	char letter;
	const char *word, *behind;
} type[] = {
	[FRAME_IS_C] = { 'C', "native" },
	[FRAME_IS_INLINED] = { 'i', "inlined", "_[i]" },
	[FRAME_IS_JIT] = { 'j', "jit", "_[j]" },
	[FRAME_IS_INTERPRETER] = { '.', "interpreter" },
	[FRAME_IS_KERNEL] = { 'k', "kernel", "_[k]" },
	[FRAME_IS_MARKER] = { '!', "marker" },
};

#define NO_NAME "[empty name]"

const char *text_title(u8 walker)
{
	static const char *const title[] = {
#define WALKER(id, name, title, traits) title,
#include "walkers/walkers.def"
	};

	return walker < sizeof(title) / sizeof(*title) ? title[walker] : "?";
}

char text_kind(const struct frame *f)
{
	return f->type == FRAME_IS_SCRIPT ? *text_title(f->walker)
					  : type[f->type].letter;
}

const char *text_kind_name(const struct frame *f)
{
	return f->type == FRAME_IS_SCRIPT ? text_title(f->walker)
					  : type[f->type].word;
}

const char *text_module(const struct profile *p, u32 module)
{
	const char *path = profile_module(p, module, PROFILE_PATH);

	return *path ? path : profile_module(p, module, PROFILE_NAME);
}

void text_name(const char *name, struct buf *out)
{
	if (*name)
		escape_name(name, false, out);
	else
		buf_adds(out, NO_NAME);
}

/* A name that the frame got from the target, and what its type writes behind it. */
static void add_foreign(const struct frame *f, const char *name,
			struct buf *out)
{
	const char *behind = type[f->type].behind;

	if (f->flags & FRAME_OURS)
		escape_text(name, ESCAPE_TEXT, out);
	else
		escape_name(name, f->expression || behind, out);
	if (behind)
		buf_adds(out, behind);
}

static void add_script(const struct frame *f, const char *name, struct buf *out)
{
	bool anonymous = f->flags & FRAME_ANONYMOUS;

	if (anonymous || f->flags & FRAME_PROMISE) {
		buf_addf(out, "<%s%s", anonymous ? "anonymous" : "promise",
			 *name ? " " : "");
		escape_text(name, ESCAPE_TEXT "[", out);
		buf_addc(out, '>');
	} else if (*name || f->flags & FRAME_QUALIFIED) {
		add_foreign(f, name, out);
	} else {
		buf_adds(out, NO_NAME);
	}
}

/* "[libc.so.6+0x1234]"; a colon or blank of the module would make it read as a
 * marker. */
static void add_module(const char *module, const char *what,
		       const char *address, struct buf *out)
{
	buf_addc(out, '[');
	escape_text(module, ESCAPE_TEXT "[: ", out);
	buf_addf(out, "%s%s]", what, address);
}

/* "[simpleError: object 'xN' not found]" */
static void add_error(const char *name, struct buf *out)
{
	buf_addc(out, '[');
	escape_text(name, ESCAPE_TEXT "]", out);
	buf_addc(out, ']');
}

static void add_name(const struct profile *p, const struct frame *f,
		     struct buf *out)
{
	const char *name = profile_text(p, f->name);
	const char *module = profile_text(p, f->module);

	if (f->type == FRAME_IS_SCRIPT)
		add_script(f, name, out);
	else if (f->flags & FRAME_ERROR)
		add_error(name, out);
	else if (f->type == FRAME_IS_MARKER)
		buf_addf(out,
			 f->flags & FRAME_CUT	    ? "[cut: %s]"
			 : f->flags & FRAME_MISSING ? "[missing: %s]"
						    : "[%s]",
			 name);
	else if (f->type == FRAME_IS_INTERPRETER)
		buf_addf(out, "[%s interpreter]", name);
	else if (f->flags & FRAME_ADDRESS)
		add_module(module, "+", name, out);
	else if (*name)
		add_foreign(f, name, out);
	else if (f->type == FRAME_IS_KERNEL)
		buf_adds(out, "[kernel]");
	else if (*module)
		add_module(module,
			   f->type == FRAME_IS_JIT ? ": not readable" : "", "",
			   out);
	else if (f->type == FRAME_IS_JIT)
		buf_adds(out, "[anonymous code]");
	else
		buf_adds(out, "[unknown]");
}

static void add_place(const struct profile *p, const struct frame *f,
		      struct buf *out)
{
	if (f->expression) {
		buf_adds(out, " [");
		escape_text(profile_text(p, f->expression), ESCAPE_TEXT, out);
		buf_addc(out, ']');
	} else if (f->file) {
		buf_adds(out, " (");
		escape_text(profile_text(p, f->file), ESCAPE_TEXT "(", out);
		if (f->line)
			buf_addf(out, ":%u", f->line);
		buf_addc(out, ')');
	} else if (f->line) {
		buf_addf(out, " (#%u)", f->line);
	}
}

void text_frame(const struct profile *p, const struct frame *f, unsigned parts,
		struct buf *out)
{
	if (f->flags & FRAME_COROUTINE)
		buf_adds(out, "coroutine ");
	if (f->space && (parts & TEXT_SPACE || f->flags & FRAME_QUALIFIED)) {
		escape_text(profile_text(p, f->space), ESCAPE_LIKE, out);
		buf_adds(out, f->flags & FRAME_UNEXPORTED ? ":::" : "::");
	}
	add_name(p, f, out);
	if (p->annotate && f->type == FRAME_IS_SCRIPT)
		buf_addf(out, "_[%c]", tolower(*text_title(f->walker)));
	if (parts & TEXT_PLACE)
		add_place(p, f, out);
}

void text_function(const struct profile *p, const struct frame *f,
		   struct buf *out)
{
	text_frame(p, f, TEXT_SPACE | (f->expression ? TEXT_PLACE : 0), out);
}

void text_stack(const struct profile *p, const struct profile_stack *s,
		struct buf *out)
{
	for (size_t i = s->depth; i > 0; i--) {
		const struct frame *f = profile_frame(p, s->frame[i - 1]);

		buf_addf(out, "    %s%c ", f->flags & FRAME_ASIDE ? "  " : "",
			 text_kind(f));
		text_frame(p, f, TEXT_SPACE | TEXT_PLACE, out);
		buf_addc(out, '\n');
	}
}

u32 *text_make(const struct profile *p, struct intern *texts, text_put *put)
{
	u32 n = intern_count(p->frames), *id = xcalloc(n + 1, sizeof(*id));
	_cleanup_buf_ struct buf text = { 0 };

	for (u32 i = 0; i < n; i++) {
		buf_reset(&text);
		put(p, profile_frame(p, i), &text);
		id[i] = intern_text(texts, buf_text(&text));
	}
	return id;
}
