/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A stack's number is its samples, or its value where that has a unit and samples stand
 * for no interval. */
#include "user/flame/tree.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/lib/protobuf.h"
#include "user/profile/profile.h"

static bool counts_values(const struct profile *p, u32 event)
{
	const char *unit;

	if (event >= p->events || p->event[event].interval)
		return false;
	unit = profile_text(p, p->event[event].unit);
	return !strcmp(unit, "nanoseconds") || !strcmp(unit, "bytes");
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
static u32 *nodes_of(const struct tree *t, struct profile *p, u32 event)
{
	size_t n = intern_count(p->stacks), added = 0;
	u32 *node = xcalloc(n + 1, sizeof(*node));
	_cleanup_free_ u32 *of = xcalloc(n + 1, sizeof(*of));

	for (size_t i = 0; i < t->stacks; i++)
		of[t->stack[i].added] = t->stack[i].node;
	for (size_t i = 0; i < n; i++)
		if (profile_stack(p, i).key->event == event)
			node[i] = of[added++];
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

/* The samples of one part of the time, summed by node. */
struct bucket {
	u64 *sum; /* of each node */
	u32 *touched;
	size_t n;
};

static void add_bucket(struct bucket *b, struct buf *out)
{
	protobuf_varint(out, b->n);
	for (size_t i = 0; i < b->n; i++) {
		protobuf_varint(out, b->touched[i]);
		protobuf_varint(out, b->sum[b->touched[i]]);
		b->sum[b->touched[i]] = 0;
	}
	b->n = 0;
}

static void add_times(struct page *h, const struct tree *t, u32 event)
{
	struct profile *p = h->side[0].profile;
	bool values = counts_values(p, event), all = p->samples <= TREE_SAMPLES;
	_cleanup_free_ u32 *node = nodes_of(t, p, event);
	_cleanup_free_ u64 *sum = xcalloc(t->n, sizeof(*sum));
	_cleanup_free_ u32 *touched = xcalloc(t->n, sizeof(*touched));
	struct bucket b = { sum, touched, 0 };
	u64 start, end;
	u32 number = 0;

	tree_times(p, &start, &end);
	for (size_t i = 0; i < p->samples; i++) {
		const struct profile_sample *s = &p->sample[i];
		u64 amount = values ? s->value : s->weight;
		u32 at = all ? node[s->stack] : 0;
		double part = (double)(s->time - start) / (end - start + 1);

		if (!node[s->stack] || !amount)
			continue;
		for (; number < (u32)(part * TREE_BUCKETS); number++)
			add_bucket(&b, &h->data);
		if (!sum[at])
			touched[b.n++] = at;
		sum[at] += amount;
	}
	for (; number < TREE_BUCKETS; number++)
		add_bucket(&b, &h->data);
}

/* What the event is called is the same on both sides. */
static void add_head(struct page *h, const u32 *event, const u64 *samples)
{
	u32 side = event[0] < h->side[0].profile->events ? 0 : h->sides - 1;
	const struct profile *p = h->side[side].profile;
	const struct profile_event none = { 0 },
				   *e = event[side] < p->events
						? &p->event[event[side]]
						: &none;

	buf_adds(&h->head, "{\"name\":");
	json_text(&h->head, profile_text(p, e->name));
	buf_adds(&h->head, ",\"unit\":");
	json_text(&h->head, profile_text(p, e->unit));
	buf_addf(&h->head, ",\"interval\":%llu,\"samples\":[%llu,%llu]",
		 e->interval, samples[0], samples[1]);
}

void tree_pack(struct page *h, const u32 event[TREE_SIDES])
{
	const struct profile *first = h->side[0].profile;
	bool timed = h->sides == 1 && first->samples;
	u64 samples[TREE_SIDES] = { 0 };
	struct tree t = { 0 };

	for (u32 side = 0; side < h->sides; side++)
		samples[side] = add_stacks(h, &t, event[side], side);
	tree_build(&t);
	add_head(h, event, samples);
	buf_addf(&h->head, ",\"nodes\":%zu,\"buckets\":%d,\"at\":%zu}", t.n,
		 timed ? TREE_BUCKETS : 0, h->data.len);
	add_columns(h, &t);
	if (timed)
		add_times(h, &t, event[0]);
	tree_release(&t);
}
