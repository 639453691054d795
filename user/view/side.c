/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names are found once for each frame, task and event, not for each stack. */
#include "user/view/side.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/profile/profile.h"
#include "user/view/tree.h"

u32 *side_names(struct intern *names, const struct profile *p, size_t n,
		void (*name)(const struct profile *p, u32 id, unsigned how,
			     struct buf *out),
		unsigned how)
{
	u32 *of = xcalloc(n + 1, sizeof(*of));
	_cleanup_buf_ struct buf text = { 0 };

	for (size_t i = 0; i < n; i++) {
		buf_reset(&text);
		name(p, i, how, &text);
		of[i] = intern_text(names, buf_text(&text));
	}
	return of;
}

u32 side_event(const struct profile *p, const char *name)
{
	u32 i = 0;

	while (i < p->events &&
	       strcmp(profile_text(p, p->event[i].name), name) != 0)
		i++;
	return i;
}

void side_add(struct side *s, struct tree *t, u32 side)
{
	for (u32 i = 0; i < intern_count(s->profile->stacks); i++) {
		struct profile_stack stack = profile_stack(s->profile, i);
		u32 event = stack.key->event;
		u64 number = s->counts ? stack.sum.weight
				       : profile_value(s->profile, event,
						       &stack.sum);

		if (!s->events && event != s->event)
			continue;
		tree_stack(t, side, number, i);
		if (s->events)
			tree_name(t, s->events[event]);
		if (s->tasks)
			tree_name(t, s->tasks[stack.key->task]);
		for (size_t k = 0; s->frames && k < stack.depth; k++)
			tree_name(t, s->frames[stack.frame[k]]);
		s->total += number;
		s->samples += stack.sum.weight;
	}
}

void side_release(struct side *s)
{
	free(s->events);
	free(s->tasks);
	free(s->frames);
}
