/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folded stacks: one line a stack, outermost frame first,
 *
 *   frame;frame;frame COUNT
 *
 * as flamegraph.pl, speedscope and others read them.
 */
#include "user/output/format.h"
#include "user/output/sorted.h"
#include "user/output/text.h"

static void put_line(const struct sorted *s, size_t i, struct buf *out)
{
	struct profile_stack stack = sorted_get(s, i);

	text_name(profile_command(s->profile, &stack), out);
	for (size_t k = 0; k < stack.depth; k++) {
		buf_addc(out, ';');
		buf_adds(out, sorted_text(s, stack.frame[k]));
	}
	buf_addf(out, " %llu\n", stack.sum.weight);
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
