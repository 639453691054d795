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

static bool counts_values(const struct profile *p, u32 event)
{
	const struct profile_event *e = &p->event[event];

	return event < p->events &&
	       !(e->interval &&
		 !strcmp(profile_text(p, e->unit), "nanoseconds"));
}

/* Add the side's stacks to the tree; their samples. */
static u64 add_stacks(const struct page *h, struct tree *t, u32 event, u32 side)
{
	const struct page_side *s = &h->side[side];
	bool values = counts_values(s->profile, event);
	_cleanup_free_ u32 *path = NULL;
	size_t capacity = 0;
	u64 samples = 0;

	for (u32 i = 0; i < intern_count(s->profile->stacks); i++) {
		struct profile_stack stack = profile_stack(s->profile, i);

		if (stack.key->event != event)
			continue;
		path = xgrow(path, stack.depth, &capacity, sizeof(*path));
		path[0] = s->tasks[stack.key->task];
		for (size_t k = 0; k < stack.depth; k++)
			path[k + 1] = s->frames[stack.frame[k]];
		tree_add(t, path, stack.depth + 1, side,
			 values ? stack.sum.value : stack.sum.weight);
		t->stack[t->stacks - 1].id = i;
		samples += stack.sum.weight;
	}
	return samples;
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
static size_t add_times(struct page *h, const struct tree *t, u32 event)
{
	struct profile *p = h->side[0].profile;
	bool values = counts_values(p, event);
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
		protobuf_varint(&h->data, values ? s->value : s->weight);
		last = part;
		n++;
	}
	return n;
}

void tree_pack(struct page *h, const u32 event[TREE_SIDES])
{
	const struct profile *p = h->side[0].profile;
	u64 samples[TREE_SIDES] = { 0 };
	size_t at = h->data.len, times = 0;
	struct tree t = { 0 };

	for (u32 side = 0; side < h->sides; side++)
		samples[side] = add_stacks(h, &t, event[side], side);
	tree_build(&t);
	add_columns(h, &t);
	if (h->sides == 1 && p->samples <= TREE_SAMPLES)
		times = add_times(h, &t, event[0]);
	buf_addf(
		&h->head,
		",\"samples\":[%llu,%llu],\"nodes\":%zu,\"times\":%zu,\"at\":%zu}",
		samples[0], samples[1], t.n, times, at);
	tree_release(&t);
}
