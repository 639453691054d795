/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* When files were last used.  A file is used when it is looked up, mapped, or in a
 * stack. It is over when no live process maps it. */

#include <jpbpf/frame.h>

#include "user/files/tables_entry.h"

#include "user/lib/clock.h"

void tables_may_be_over(struct tables *t, const struct table_entry *e)
{
	if (e->m && !e->maps && !e->stays && e->used < t->over_since)
		t->over_since = e->used;
}

void tables_map(struct tables *t, u32 id)
{
	t->entry[id].maps++;
}

void tables_unmap(struct tables *t, u32 id)
{
	t->entry[id].maps--;
	t->entry[id].used = now_ns();
	tables_may_be_over(t, &t->entry[id]);
}

void tables_use(struct tables *t, const u64 *word, u32 words, u64 time)
{
	for (u32 i = 0; i < words; i += 1 + frame_extra(word[i])) {
		u32 id = frame_file(word[i]);

		if (frame_kind(word[i]) != FRAME_NATIVE || id >= t->n)
			continue;
		t->entry[id].sampled = true;
		if (t->entry[id].used < time)
			t->entry[id].used = time;
	}
}

void tables_touch(struct tables *t, u32 id)
{
	t->entry[id].used = now_ns();
}

u64 tables_used(const struct tables *t, u32 id)
{
	return t->entry[id].used;
}

u64 tables_over_since(const struct tables *t)
{
	return t->over_since;
}

void tables_review(struct tables *t)
{
	t->over_since = ~0ull;
	for (size_t i = 0; i < t->n; i++)
		tables_may_be_over(t, &t->entry[i]);
}

bool tables_is_over(const struct tables *t, u32 id, u64 time)
{
	return !t->entry[id].maps && t->entry[id].used < time;
}

bool tables_is_sampled(const struct tables *t, u32 id)
{
	return t->entry[id].sampled;
}

void tables_named(struct tables *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->entry[i].sampled = false;
}
