/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Each text is made once.  Most stacks share their outer frames by id, so comparing two
 * of them seldom compares texts. */
#include "user/output/sorted.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/output/text.h"

static int compare_stack(const void *a, const void *b, void *ctx)
{
	const struct sorted_stack *first = a, *second = b;
	const struct sorted *s = ctx;
	struct profile_stack x = profile_stack(s->profile, first->id);
	struct profile_stack y = profile_stack(s->profile, second->id);
	int order = strcmp(profile_command(s->profile, &x),
			   profile_command(s->profile, &y));

	for (size_t i = 0; !order && i < x.depth && i < y.depth; i++)
		if (s->text[x.frame[i]] != s->text[y.frame[i]])
			order = strcmp(sorted_text(s, x.frame[i]),
				       sorted_text(s, y.frame[i]));
	return order ? order : (x.depth > y.depth) - (x.depth < y.depth);
}

static void merge(struct sorted *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!kept ||
		    compare_stack(&s->stack[kept - 1], &s->stack[i], s)) {
			s->stack[kept++] = s->stack[i];
			continue;
		}
		s->stack[kept - 1].sum.weight += s->stack[i].sum.weight;
		s->stack[kept - 1].sum.value += s->stack[i].sum.value;
	}
	s->n = kept;
}

static void put_text(const struct profile *p, const struct frame *f,
		     struct buf *out)
{
	text_frame(p, f, TEXT_SPACE | TEXT_PLACE, out);
}

void sorted_make(struct sorted *s, struct profile *p)
{
	*s = (struct sorted){
		.profile = p,
		.texts = intern_new(),
		.n = intern_count(p->stacks),
	};
	s->text = text_make(p, s->texts, put_text);
	s->stack = xcalloc(s->n, sizeof(*s->stack));
	for (size_t i = 0; i < s->n; i++)
		s->stack[i] =
			(struct sorted_stack){ i, profile_stack(p, i).sum };
	qsort_r(s->stack, s->n, sizeof(*s->stack), compare_stack, s);
	merge(s);
}

void sorted_release(struct sorted *s)
{
	intern_free(s->texts);
	free(s->text);
	free(s->stack);
}

struct profile_stack sorted_get(const struct sorted *s, size_t i)
{
	struct profile_stack stack = profile_stack(s->profile, s->stack[i].id);

	stack.sum = s->stack[i].sum;
	return stack;
}

const char *sorted_text(const struct sorted *s, u32 frame)
{
	return intern_get(s->texts, s->text[frame], NULL);
}
