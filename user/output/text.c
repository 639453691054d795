/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The frame's type and flags decide what is written around its name. */
#include "user/output/text.h"

#include <ctype.h>

#include <jpbpf/walkers.h>

#include "user/profile/profile.h"
#include "user/lib/buf.h"
#include "user/output/escape.h"

static const char *const behind[] = {
	[FRAME_IS_INLINED] = "_[i]",
	[FRAME_IS_JIT] = "_[j]",
	[FRAME_IS_KERNEL] = "_[k]",
	[FRAME_IS_MARKER] = NULL, /* the last type */
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
	static const char kind[] = {
		[FRAME_IS_C] = 'C',	 [FRAME_IS_INLINED] = 'i',
		[FRAME_IS_JIT] = 'j',	 [FRAME_IS_INTERPRETER] = '.',
		[FRAME_IS_KERNEL] = 'k', [FRAME_IS_MARKER] = '!',
	};

	return f->type == FRAME_IS_SCRIPT ? *text_title(f->walker)
					  : kind[f->type];
}

const char *text_kind_name(const struct frame *f)
{
	static const char *const kind[] = {
		[FRAME_IS_C] = "native",
		[FRAME_IS_INLINED] = "inlined",
		[FRAME_IS_JIT] = "jit",
		[FRAME_IS_INTERPRETER] = "interpreter",
		[FRAME_IS_KERNEL] = "kernel",
		[FRAME_IS_MARKER] = "marker",
	};

	return f->type == FRAME_IS_SCRIPT ? text_title(f->walker)
					  : kind[f->type];
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
	if (f->flags & FRAME_OURS)
		escape_text(name, ESCAPE_TEXT, out);
	else
		escape_name(name, f->expression || behind[f->type], out);
	if (behind[f->type])
		buf_adds(out, behind[f->type]);
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

static void add_name(const struct profile *p, const struct frame *f,
		     struct buf *out)
{
	const char *name = profile_text(p, f->name);
	const char *module = profile_text(p, f->module);

	if (f->type == FRAME_IS_SCRIPT)
		add_script(f, name, out);
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
		buf_addf(out, ":%u)", f->line);
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
