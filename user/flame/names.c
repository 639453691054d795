/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The escaped texts of a frame go into JSON as they are. */
#include "user/flame/names.h"

#include "user/lib/buf.h"
#include "user/lib/json.h"
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

static void name_frame(const struct profile *p, u32 id, unsigned how,
		       struct buf *out)
{
	const struct frame *f = profile_frame(p, id);
	const char *path = profile_module(p, f->module, PROFILE_PATH);
	_cleanup_buf_ struct buf text = { 0 };

	(void)how;
	/* An expression stands where the place would. */
	text_frame(p, f, TEXT_SPACE | (f->expression ? TEXT_PLACE : 0), &text);
	buf_addc(out, '[');
	json_text(out, buf_text(&text));
	buf_addf(out, ",\"%c\",", text_kind(f));
	add_text(out, profile_text(p, f->space));
	add_text(out,
		 *path ? path : profile_module(p, f->module, PROFILE_NAME));
	add_text(out, profile_text(p, f->file));
	buf_addf(out, "%u]", f->line);
}

static void name_task(const struct profile *p, u32 id, unsigned how,
		      struct buf *out)
{
	const struct profile_task *t = profile_task(p, id);
	_cleanup_buf_ struct buf text = { 0 };

	(void)how;
	text_name(profile_text(p, t->comm), &text);
	buf_addc(out, '[');
	json_text(out, buf_text(&text));
	buf_adds(out, ",\" \",");
	add_text(out, profile_text(p, t->program));
	buf_addf(out, "\"\",%u,%u]", t->pid, t->tid);
}

struct side names_side(struct intern *names, struct profile *p)
{
	struct side s = { .profile = p };

	s.frames = side_names(names, p, intern_count(p->frames), name_frame, 0);
	s.tasks = side_names(names, p, intern_count(p->tasks), name_task, 0);
	return s;
}
