/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folded stacks: one line a stack, outermost frame first,
 *
 *   frame;frame;frame COUNT
 *
 * as flamegraph.pl, speedscope and others read them.  COUNT is the number of samples; of
 * calls it is their own time in ns.
 */
#include <string.h>

#include "user/output/format.h"
#include "user/output/sorted.h"
#include "user/output/text.h"

static u64 count_of(const struct profile *p, const struct profile_stack *s)
{
	const struct profile_event *e = &p->event[s->key->event];
	bool is_time = !e->interval &&
		       !strcmp(profile_text(p, e->unit), "nanoseconds");

	return is_time ? s->sum.value : s->sum.weight;
}

static void put_line(const struct sorted *s, size_t i, struct buf *out)
{
	struct profile_stack stack = sorted_get(s, i);

	text_name(profile_command(s->profile, &stack), out);
	for (size_t k = 0; k < stack.depth; k++) {
		buf_addc(out, ';');
		buf_adds(out, sorted_text(s, stack.frame[k]));
	}
	buf_addf(out, " %llu\n", count_of(s->profile, &stack));
}

int folded_write(struct profile *p, FILE *file)
{
	struct output out = { .file = file };
	struct sorted s;

	sorted_make(&s, p);
	for (size_t i = 0; i < s.n; i++) {
		put_line(&s, i, &out.text);
		output_put(&out);
	}
	sorted_release(&s);
	return output_end(&out);
}
