/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Frames without the property that is asked for are told by their kind, in
 * brackets. */
#include "user/report/label.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

u32 label_add(struct labels *l, char kind, const char *text)
{
	const struct intern_key key = { &kind, 1, text, strlen(text) };

	if (!l->of)
		l->of = intern_new();
	return intern_id(l->of, &key, true);
}

static void add_kind(const struct frame *f, struct buf *out)
{
	if (f->type == FRAME_IS_SCRIPT)
		buf_addf(out, "[%s]", text_title(f->walker));
	else
		buf_adds(out, f->type == FRAME_IS_KERNEL   ? "[kernel]"
			      : f->type == FRAME_IS_MARKER ? "[marker]"
							   : "[native]");
}

static void add_text(const struct profile *p, const struct frame *f,
		     enum label_by by, struct buf *out)
{
	u32 text = by == LABEL_SPACE  ? f->space
		   : by == LABEL_LINE ? f->file
				      : f->module;

	if (by == LABEL_FUNCTION || by == LABEL_WHOLE) {
		text_frame(p, f,
			   TEXT_SPACE | (by == LABEL_WHOLE ? TEXT_PLACE : 0),
			   out);
	} else if (!text) {
		add_kind(f, out);
	} else {
		escape_text(profile_text(p, text), ESCAPE_TEXT "[", out);
		if (by == LABEL_LINE)
			buf_addf(out, ":%u", f->line);
	}
}

u32 *label_frames(struct labels *l, const struct profile *p, enum label_by by)
{
	size_t n = intern_count(p->frames);
	u32 *of = xcalloc(n + 1, sizeof(*of));
	_cleanup_buf_ struct buf text = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct frame *f = profile_frame(p, i);

		buf_reset(&text);
		add_text(p, f, by, &text);
		of[i] = label_add(l, by == LABEL_WHOLE ? ' ' : text_kind(f),
				  buf_text(&text));
	}
	return of;
}

u32 label_command(struct labels *l, const struct profile *p,
		  const struct profile_stack *s)
{
	_cleanup_buf_ struct buf text = { 0 };

	text_name(profile_command(p, s), &text);
	return label_add(l, ' ', buf_text(&text));
}

u32 label_task(struct labels *l, const struct profile *p,
	       const struct profile_stack *s, bool thread)
{
	const struct profile_task *task = profile_task(p, s->key->task);
	u32 id = thread ? task->tid : task->pid;
	u32 name = !thread && task->program ? task->program : task->comm;
	_cleanup_buf_ struct buf text = { 0 };

	if (id)
		buf_addf(&text, "%u ", id);
	text_name(profile_text(p, name), &text);
	return label_add(l, ' ', buf_text(&text));
}

char label_kind(const struct labels *l, u32 id)
{
	return *(const char *)intern_get(l->of, id, NULL);
}

const char *label_text(const struct labels *l, u32 id)
{
	return (const char *)intern_get(l->of, id, NULL) + 1;
}
