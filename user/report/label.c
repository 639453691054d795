/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Frames without the property that is asked for are told by their kind, in
 * brackets. */
#include "user/report/report_part.h"

#include "user/lib/buf.h"
#include "user/output/escape.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

static void name_frame(const struct profile *p, u32 id, unsigned by,
		       struct buf *out)
{
	const struct frame *f = profile_frame(p, id);
	u32 text = by == REPORT_SPACE  ? f->space
		   : by == REPORT_LINE ? f->file
				       : f->module;

	buf_addc(out, by == REPORT_FOLDED ? ' ' : text_kind(f));
	if (by == REPORT_TREE || by == REPORT_FUNCTION) {
		text_frame(p, f, TEXT_SPACE, out);
	} else if (by == REPORT_FOLDED) {
		text_frame(p, f, TEXT_SPACE | TEXT_PLACE, out);
	} else if (!text) {
		buf_addf(out, "[%s]", text_kind_name(f));
	} else {
		escape_text(profile_text(p, text), ESCAPE_TEXT "[", out);
		if (by == REPORT_LINE)
			buf_addf(out, ":%u", f->line);
	}
}

/* The command; in lists also the id that tasks are told apart by. */
static void name_task(const struct profile *p, u32 id, unsigned by,
		      struct buf *out)
{
	const struct profile_task *t = profile_task(p, id);
	bool process = by == REPORT_PROCESS;
	u32 number = process ? t->pid : by == REPORT_THREAD ? t->tid : 0;

	buf_addc(out, ' ');
	if (number)
		buf_addf(out, "%u ", number);
	text_name(profile_text(p, process && t->program ? t->program : t->comm),
		  out);
}

static void name_event(const struct profile *p, u32 id, unsigned by,
		       struct buf *out)
{
	(void)by;
	buf_addf(out, " %s", profile_text(p, p->event[id].name));
}

struct side label_side(struct intern *labels, struct profile *p,
		       enum report_by by)
{
	bool has_frames = by < REPORT_PROCESS || by == REPORT_FOLDED;
	bool has_tasks = by == REPORT_TREE || by == REPORT_PROCESS ||
			 by == REPORT_THREAD || by == REPORT_FOLDED;
	struct side s = { .profile = p };

	if (by == REPORT_EVENT)
		s.events =
			side_names(labels, p, PROFILE_EVENTS, name_event, by);
	if (has_tasks)
		s.tasks = side_names(labels, p, intern_count(p->tasks),
				     name_task, by);
	if (has_frames)
		s.frames = side_names(labels, p, intern_count(p->frames),
				      name_frame, by);
	return s;
}
