/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The escaped texts of a frame go into JSON as they are. */
#include "user/flame/names.h"

#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

static void add_text(struct buf *out, const char *text)
{
	_cleanup_buf_ struct buf escaped = { 0 };

	escape_text(text, ESCAPE_TEXT, &escaped);
	json_text(out, buf_text(&escaped));
	buf_addc(out, ',');
}

static u32 name_frame(struct intern *names, const struct profile *p,
		      const struct frame *f)
{
	_cleanup_buf_ struct buf text = { 0 }, out = { 0 };
	const char *path = profile_module(p, f->module, PROFILE_PATH);

	/* An expression stands where the place would. */
	text_frame(p, f, TEXT_SPACE | (f->expression ? TEXT_PLACE : 0), &text);
	buf_addc(&out, '[');
	json_text(&out, buf_text(&text));
	buf_addf(&out, ",\"%c\",", text_kind(f));
	add_text(&out, profile_text(p, f->space));
	add_text(&out,
		 *path ? path : profile_module(p, f->module, PROFILE_NAME));
	add_text(&out, profile_text(p, f->file));
	buf_addf(&out, "%u]", f->line);
	return intern_text(names, out.data);
}

u32 *names_frames(struct intern *names, const struct profile *p)
{
	size_t count = intern_count(p->frames);
	u32 *of = xcalloc(count + 1, sizeof(*of));

	for (size_t i = 0; i < count; i++)
		of[i] = name_frame(names, p, profile_frame(p, i));
	return of;
}

u32 *names_tasks(struct intern *names, const struct profile *p)
{
	size_t count = intern_count(p->tasks);
	u32 *of = xcalloc(count + 1, sizeof(*of));
	_cleanup_buf_ struct buf text = { 0 }, out = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct profile_task *t = profile_task(p, i);

		buf_reset(&text);
		buf_reset(&out);
		text_name(profile_text(p, t->comm), &text);
		buf_addc(&out, '[');
		json_text(&out, buf_text(&text));
		buf_adds(&out, ",\" \",");
		add_text(&out, profile_text(p, t->program));
		buf_addf(&out, "\"\",%u,%u]", t->pid, t->tid);
		of[i] = intern_text(names, out.data);
	}
	return of;
}
