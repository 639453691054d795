/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A stack's number is its value; where samples stand for a time, their number: smaller,
 * and the page knows the time. */
#include "user/flame/tree.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/profile/profile.h"

static bool is_time(const struct profile *p, u32 event)
{
	const struct profile_event *e = &p->event[event];

	return event >= p->events ||
	       (e->interval &&
		!strcmp(profile_text(p, e->unit), "nanoseconds"));
}

static void add_columns(struct page *h, const struct tree *t)
{
	for (size_t i = 1; i < t->n; i++)
		protobuf_varint(&h->data,
				t->node[i - 1].depth + 1 - t->node[i].depth);
	for (size_t i = 1; i < t->n; i++)
		protobuf_varint(&h->data, t->node[i].name);
	for (u32 side = 0; side < h->sides; side++)
		for (size_t i = 0; i < t->n; i++)
			protobuf_varint(&h->data, t->node[i].in[side]);
}

/* The node where each stack of the profile ends; stacks of other events: 0. */
static u32 *nodes_of(const struct tree *t, const struct profile *p)
{
	u32 *node = xcalloc(intern_count(p->stacks) + 1, sizeof(*node));

	for (size_t i = 0; i < t->stacks; i++)
		node[t->stack[i].id] = t->stack[i].node;
	return node;
}

void tree_times(const struct profile *p, u64 *start, u64 *end)
{
	const struct profile_sample *s = p->sample;

	*start = *end = 0;
	if (!p->samples)
		return;
	*start = p->start && p->start < s->time ? p->start : s->time;
	s += p->samples - 1;
	*end = p->end > s->time ? p->end : s->time;
}

/* The number of samples. */
static size_t add_times(struct page *h, const struct tree *t)
{
	const struct profile *p = h->side[0].profile;
	_cleanup_free_ u32 *node = nodes_of(t, p);
	u64 start, end, length, last = 0;
	size_t n = 0;

	tree_times(p, &start, &end);
	length = (end - start) / TREE_PARTS ?: 1;
	for (size_t i = 0; i < p->samples; i++) {
		const struct profile_sample *s = &p->sample[i];
		u64 part = (s->time - start) / length;

		if (part >= TREE_PARTS) /* the end itself */
			part = TREE_PARTS - 1;
		if (!node[s->stack])
			continue;
		protobuf_varint(&h->data, part - last);
		protobuf_varint(&h->data, node[s->stack]);
		protobuf_varint(&h->data,
				h->side[0].counts ? s->weight : s->value);
		last = part;
		n++;
	}
	return n;
}

void tree_pack(struct page *h)
{
	size_t at = h->data.len, times = 0;
	struct tree t = { 0 };

	for (u32 i = 0; i < h->sides; i++) {
		struct side *s = &h->side[i];

		s->counts = is_time(s->profile, s->event);
		s->samples = 0;
		side_add(s, &t, i);
	}
	tree_build(&t);
	add_columns(h, &t);
	if (h->sides == 1 && h->side[0].profile->samples <= TREE_SAMPLES)
		times = add_times(h, &t);
	buf_addf(
		&h->head,
		",\"samples\":[%llu,%llu],\"nodes\":%zu,\"times\":%zu,\"at\":%zu}",
		h->side[0].samples, h->side[1].samples, t.n, times, at);
	tree_release(&t);
}
