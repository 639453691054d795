/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Each text gets a rank once, and equal texts have equal ranks.  Comparing two stacks
 * then compares numbers. */
#include "user/output/sorted.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/output/text.h"

struct ranking {
	const struct sorted *sorted;
	u32 *rank; /* by frame id */
};

void labels_make(struct labels *l, size_t n,
		 void (*add)(void *ctx, u32 id, struct buf *out), void *ctx)
{
	*l = (struct labels){ .at = xcalloc(n, sizeof(*l->at)) };
	for (size_t i = 0; i < n; i++) {
		l->at[i] = l->bytes.len;
		add(ctx, i, &l->bytes);
		buf_addc(&l->bytes, '\0');
	}
}

const char *labels_get(const struct labels *l, u32 id)
{
	return l->bytes.data + l->at[id];
}

void labels_release(struct labels *l)
{
	buf_release(&l->bytes);
	free(l->at);
}

static void add_text(void *ctx, u32 id, struct buf *out)
{
	struct profile *p = ctx;

	text_frame(p, profile_frame(p, id), TEXT_SPACE | TEXT_PLACE, out);
}

static int compare_text(const void *a, const void *b, void *labels)
{
	return strcmp(labels_get(labels, *(const u32 *)a),
		      labels_get(labels, *(const u32 *)b));
}

/* The rank of each text.  The caller frees it. */
static u32 *rank_texts(struct labels *l, size_t n)
{
	u32 *sorted = xcalloc(n, sizeof(*sorted));
	u32 *rank = xcalloc(n, sizeof(*rank));

	for (size_t i = 0; i < n; i++)
		sorted[i] = i;
	qsort_r(sorted, n, sizeof(*sorted), compare_text, l);
	for (size_t i = 1; i < n; i++)
		rank[sorted[i]] = rank[sorted[i - 1]] +
				  !!compare_text(&sorted[i], &sorted[i - 1], l);
	free(sorted);
	return rank;
}

static int compare_stack(const void *a, const void *b, void *ctx)
{
	const struct sorted_stack *first = a, *second = b;
	const struct ranking *r = ctx;
	struct profile *p = r->sorted->profile;
	struct profile_stack x = profile_stack(p, first->id);
	struct profile_stack y = profile_stack(p, second->id);
	int order = x.key->command == y.key->command
			    ? 0
			    : strcmp(sorted_command(r->sorted, &x),
				     sorted_command(r->sorted, &y));

	for (size_t i = 0; !order && i < x.depth && i < y.depth; i++)
		order = (r->rank[x.frame[i]] > r->rank[y.frame[i]]) -
			(r->rank[x.frame[i]] < r->rank[y.frame[i]]);
	return order ? order : (x.depth > y.depth) - (x.depth < y.depth);
}

static void merge(struct sorted *s, struct ranking *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!kept ||
		    compare_stack(&s->stack[kept - 1], &s->stack[i], r)) {
			s->stack[kept++] = s->stack[i];
			continue;
		}
		s->stack[kept - 1].sum.weight += s->stack[i].sum.weight;
		s->stack[kept - 1].sum.value += s->stack[i].sum.value;
	}
	s->n = kept;
}

void sorted_make(struct sorted *s, struct profile *p)
{
	size_t frames = intern_count(p->frames);
	struct ranking r = { .sorted = s };

	*s = (struct sorted){ .profile = p, .n = intern_count(p->stacks) };
	labels_make(&s->text, frames, add_text, p);
	s->stack = xcalloc(s->n, sizeof(*s->stack));
	for (size_t i = 0; i < s->n; i++)
		s->stack[i] =
			(struct sorted_stack){ i, profile_stack(p, i).sum };
	r.rank = rank_texts(&s->text, frames);
	qsort_r(s->stack, s->n, sizeof(*s->stack), compare_stack, &r);
	merge(s, &r);
	free(r.rank);
}

void sorted_release(struct sorted *s)
{
	labels_release(&s->text);
	free(s->stack);
}

struct profile_stack sorted_get(const struct sorted *s, size_t i)
{
	struct profile_stack stack = profile_stack(s->profile, s->stack[i].id);

	stack.sum = s->stack[i].sum;
	return stack;
}

const char *sorted_command(const struct sorted *s,
			   const struct profile_stack *stack)
{
	return profile_text(s->profile, stack->key->command);
}
