/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a walker has read of its words, as the outputs write it. */
#ifndef JPBPF_TESTS_HOST_TEXT_H
#define JPBPF_TESTS_HOST_TEXT_H

#include "user/output/text.h"
#include "user/profile/profile.h"
#include "walkers/walker.h"

static inline void text_write(enum walker_says says,
			      const struct walker_text *t, struct buf *out)
{
	struct profile *p = profile_new();
	u32 name = intern_text(p->texts, buf_text(&t->name));
	struct frame f = {
		.type = FRAME_IS_SCRIPT,
		/* So that a name which is not there is not written as empty. */
		.flags =
			t->flags | (says == WALKER_FRAME ? 0 : FRAME_QUALIFIED),
		.space = intern_text(p->texts, t->space ? t->space : ""),
		.name = says == WALKER_PLACE ? 0 : name,
		.expression = says == WALKER_PLACE ? name : 0,
		.file = intern_text(p->texts, buf_text(&t->file)),
		.line = t->line,
	};

	if (says == WALKER_ASIDE)
		buf_adds(out, "~");
	else if (says != WALKER_SILENT)
		text_frame(p, &f, TEXT_SPACE | TEXT_PLACE, out);
	profile_free(p);
}

/* Read the words and append what is written of them. */
static inline enum walker_says text_read(const struct walker *w,
					 const u64 *word,
					 const struct walker_texts *texts,
					 struct buf *out)
{
	struct walker_text t = { .line = 0 };
	enum walker_says says = w->read(word, texts, &t);

	text_write(says, &t, out);
	buf_release(&t.name);
	buf_release(&t.file);
	return says;
}

#endif
