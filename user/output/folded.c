/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Folded stacks: one line a stack, outermost frame first,
 *
 *   frame;frame;frame COUNT
 *
 * as flamegraph.pl, speedscope and others read them.
 */
#include "user/output/format.h"

#include <errno.h>

#include "user/output/sorted.h"
#include "user/output/text.h"

static void format_line(const struct sorted *s, size_t i, struct buf *line)
{
	struct profile_stack stack = sorted_get(s, i);

	buf_reset(line);
	text_name(profile_command(s->profile, &stack), line);
	for (size_t k = 0; k < stack.depth; k++) {
		buf_addc(line, ';');
		buf_adds(line, sorted_text(s, stack.frame[k]));
	}
	buf_addf(line, " %llu\n", stack.sum.weight);
}

int folded_write(struct profile *p, FILE *out)
{
	_cleanup_buf_ struct buf line = { 0 };
	struct sorted s;
	int err = ferror(out) ? -EIO : 0;

	sorted_make(&s, p);
	for (size_t i = 0; i < s.n && !err; i++) {
		format_line(&s, i, &line);
		err = format_put(&line, out);
	}
	sorted_release(&s);
	return err;
}
