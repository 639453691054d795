/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The frame's type and flags decide what is written around its name. */
#include "user/output/text.h"

#include "user/profile/profile.h"
#include "user/lib/buf.h"

static void add_named(const struct frame *f, const char *name, struct buf *out)
{
	static const char *const behind[] = {
		[FRAME_IS_INLINED] = "_[i]",
		[FRAME_IS_JIT] = "_[j]",
		[FRAME_IS_KERNEL] = "_[k]",
		[FRAME_IS_MARKER] = "]",
		[FRAME_IS_INTERPRETER] = " interpreter]",
	};
	const char *end = behind[f->type];

	if (f->type == FRAME_IS_MARKER)
		buf_adds(out, f->flags & FRAME_CUT	 ? "[cut: "
			      : f->flags & FRAME_MISSING ? "[missing: "
							 : "[");
	else if (f->type == FRAME_IS_INTERPRETER)
		buf_addc(out, '[');
	buf_addf(out, "%s%s", name, end ? end : "");
}

static void add_script(const struct frame *f, const char *name, struct buf *out)
{
	const char *blank = *name ? " " : "";

	if (f->flags & FRAME_ANONYMOUS)
		buf_addf(out, "<anonymous%s%s>", blank, name);
	else if (f->flags & FRAME_PROMISE)
		buf_addf(out, "<promise%s%s>", blank, name);
	else
		buf_adds(out, name);
}

static void add_name(const struct profile *p, const struct frame *f,
		     struct buf *out)
{
	const char *name = profile_text(p, f->name);
	const char *module = profile_text(p, f->module);

	if (f->type == FRAME_IS_SCRIPT)
		add_script(f, name, out);
	else if (f->flags & FRAME_ADDRESS)
		buf_addf(out, "[%s+%s]", module, name);
	else if (*name)
		add_named(f, name, out);
	else if (f->type == FRAME_IS_KERNEL)
		buf_adds(out, "[kernel]");
	else
		buf_adds(out, *module ? module : "[unknown]");
}

static void add_place(const struct profile *p, const struct frame *f,
		      struct buf *out)
{
	if (f->expression)
		buf_addf(out, " [%s]", profile_text(p, f->expression));
	else if (f->file)
		buf_addf(out, " (%s:%u)", profile_text(p, f->file), f->line);
	else if (f->line)
		buf_addf(out, " (#%u)", f->line);
}

void text_frame(const struct profile *p, const struct frame *f, unsigned parts,
		struct buf *out)
{
	if (f->flags & FRAME_COROUTINE)
		buf_adds(out, "coroutine ");
	if (f->space && (parts & TEXT_SPACE || f->flags & FRAME_QUALIFIED))
		buf_addf(out, "%s%s", profile_text(p, f->space),
			 f->flags & FRAME_UNEXPORTED ? ":::" : "::");
	add_name(p, f, out);
	if (parts & TEXT_PLACE)
		add_place(p, f, out);
}
