/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Strings and stacks are both interned: a stack is the bytes of its string ids.  What of
 * a string is no name follows its NUL, where there is such a part.
 *
 * Sorting ranks the strings once, so that comparing two stacks compares numbers;
 * order[] then says which stack stands at which place.  Stacks added after a sort
 * come behind it.
 */
#include "user/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "user/profile/intern.h"
#include "user/lib/mem.h"

struct profile {
	struct intern *strings;
	struct intern *stacks;
	u64 *count; /* by stack id */
	size_t count_capacity;
	u32 *order; /* place -> stack id */
	size_t order_capacity;
	u64 total;
	u64 interval;
};

struct profile *profile_new(void)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->strings = intern_new();
	p->stacks = intern_new();
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	intern_free(p->strings);
	intern_free(p->stacks);
	free(p->count);
	free(p->order);
	free(p);
}

struct parts {
	char nul;
	u32 before, behind;
} __attribute__((packed));

static struct intern_key key_of(const char *text, const struct parts *parts)
{
	bool has_parts = parts->before || parts->behind;

	return (struct intern_key){ text, strlen(text), parts,
				    has_parts ? sizeof(*parts) : 0 };
}

u32 profile_name(struct profile *p, const char *text, u32 before, u32 behind)
{
	const struct parts parts = { '\0', before, behind };
	const struct intern_key key = key_of(text, &parts);

	return intern_add(p->strings, &key);
}

void profile_parts(const struct profile *p, u32 id, u32 *before, u32 *behind)
{
	struct parts parts = { 0 };
	size_t len;
	const char *text = intern_get(p->strings, id, &len);
	size_t end = strlen(text);

	if (end < len)
		memcpy(&parts, text + end, sizeof(parts));
	*before = parts.before;
	*behind = parts.behind;
}

const char *profile_text(const struct profile *p, u32 id)
{
	return intern_get(p->strings, id, NULL);
}

void profile_add(struct profile *p, const u32 *frame, size_t depth, u64 count)
{
	struct intern_key key = { frame, depth * sizeof(*frame), NULL, 0 };
	size_t before = intern_count(p->stacks);
	u32 id = intern_add(p->stacks, &key);

	if (id == before) {
		p->count = xgrow(p->count, id, &p->count_capacity,
				 sizeof(*p->count));
		p->order = xgrow(p->order, id, &p->order_capacity,
				 sizeof(*p->order));
		p->count[id] = 0;
		p->order[id] = id;
	}
	p->count[id] += count;
	p->total += count;
}

u32 profile_find_name(const struct profile *p, const char *text, u32 before,
		      u32 behind)
{
	const struct parts parts = { '\0', before, behind };
	const struct intern_key key = key_of(text, &parts);
	u32 id;

	return intern_find(p->strings, &key, &id) ? id : PROFILE_NO_STRING;
}

bool profile_add_known(struct profile *p, const u32 *frame, size_t depth,
		       u64 count)
{
	struct intern_key key = { frame, depth * sizeof(*frame), NULL, 0 };
	u32 id;

	if (!intern_find(p->stacks, &key, &id))
		return false;
	p->count[id] += count;
	p->total += count;
	return true;
}

size_t profile_bytes(const struct profile *p)
{
	return intern_bytes(p->strings) + intern_bytes(p->stacks) +
	       p->count_capacity * sizeof(*p->count) +
	       p->order_capacity * sizeof(*p->order);
}

static int compare_text(const void *a, const void *b, void *ctx)
{
	const struct profile *p = ctx;
	size_t a_len, b_len;
	const char *x = intern_get(p->strings, *(const u32 *)a, &a_len);
	const char *y = intern_get(p->strings, *(const u32 *)b, &b_len);
	/* As strcmp() does, for there is a NUL, and then by what follows it. */
	int order = memcmp(x, y, (a_len < b_len ? a_len : b_len) + 1);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

/* Sorted place of each string, by id; malloc'ed. */
static u32 *rank_strings(struct profile *p)
{
	size_t n = intern_count(p->strings);
	u32 *sorted = xreallocarray(NULL, n, sizeof(*sorted));
	u32 *rank = xreallocarray(NULL, n, sizeof(*rank));

	for (size_t i = 0; i < n; i++)
		sorted[i] = i;
	qsort_r(sorted, n, sizeof(*sorted), compare_text, p);
	for (size_t i = 0; i < n; i++)
		rank[sorted[i]] = i;
	free(sorted);
	return rank;
}

struct ranking {
	const struct intern *stacks;
	const u32 *rank;
};

static int compare_stack(const void *a, const void *b, void *ctx)
{
	const struct ranking *r = ctx;
	size_t a_len, b_len;
	const u32 *x = intern_get(r->stacks, *(const u32 *)a, &a_len);
	const u32 *y = intern_get(r->stacks, *(const u32 *)b, &b_len);
	size_t shorter = (a_len < b_len ? a_len : b_len) / sizeof(u32);

	for (size_t i = 0; i < shorter; i++) {
		if (x[i] != y[i])
			return r->rank[x[i]] < r->rank[y[i]] ? -1 : 1;
	}
	return (a_len > b_len) - (a_len < b_len);
}

void profile_sort(struct profile *p)
{
	u32 *rank = rank_strings(p);
	struct ranking r = { p->stacks, rank };

	if (intern_count(p->stacks))
		qsort_r(p->order, intern_count(p->stacks), sizeof(*p->order),
			compare_stack, &r);
	free(rank);
}

size_t profile_count(const struct profile *p)
{
	return intern_count(p->stacks);
}

struct profile_stack profile_get(const struct profile *p, size_t i)
{
	u32 id = p->order[i];
	struct profile_stack out = { .count = p->count[id] };
	size_t len;

	out.frame = intern_get(p->stacks, id, &len);
	out.depth = len / sizeof(*out.frame);
	return out;
}

u64 profile_total(const struct profile *p)
{
	return p->total;
}

void profile_set_interval(struct profile *p, u64 us)
{
	p->interval = us;
}

u64 profile_interval(const struct profile *p)
{
	return p->interval;
}
