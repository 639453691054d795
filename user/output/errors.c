/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Errors for people: each distinct stack with its message, the most frequent first, how
 * often it was, and when first and last.
 */
#include <stdlib.h>
#include <time.h>

#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"

struct error {
	u32 stack;
	u64 count, first, last; /* times: ns, CLOCK_MONOTONIC; 0: not known */
};

static int compare(const void *a, const void *b)
{
	const struct error *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void put_time(const struct profile *p, u64 time, struct buf *out)
{
	time_t real = (p->start_real + time - p->start) / 1000000000;
	char text[16];

	if (!time || !p->start_real)
		return buf_adds(out, "        ");
	strftime(text, sizeof(text), "%T", localtime(&real));
	buf_adds(out, text);
}

static void put_error(struct profile *p, const struct error *e, struct buf *out)
{
	const struct profile_stack stack = profile_stack(p, e->stack);

	buf_addf(out, "%7llu  ", e->count);
	put_time(p, e->first, out);
	buf_adds(out, "  ");
	put_time(p, e->last, out);
	buf_adds(out, "  ");
	text_name(profile_command(p, &stack), out);
	buf_addc(out, '\n');
	text_stack(p, &stack, out);
	buf_addc(out, '\n');
}

int errors_write(struct profile *p, FILE *file)
{
	size_t n = intern_count(p->stacks);
	struct error *error = xcalloc(n + 1, sizeof(*error));
	struct output out = { .file = file };

	for (size_t i = 0; i < n; i++)
		error[i] = (struct error){
			.stack = i, .count = profile_stack(p, i).sum.weight
		};
	for (size_t i = 0; i < p->samples; i++) {
		struct error *e = &error[p->sample[i].stack];
		u64 time = p->sample[i].time;

		/* Samples that were walked later come later. */
		if (!e->first || time < e->first)
			e->first = time;
		if (time > e->last)
			e->last = time;
	}
	qsort(error, n, sizeof(*error), compare);
	if (n)
		buf_adds(&out.text, "  times  first     last      in\n\n");
	for (size_t i = 0; i < n; i++) {
		put_error(p, &error[i], &out.text);
		output_put(&out);
	}
	free(error);
	return output_end(&out);
}
