/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/output/folded.h"

#include <errno.h>

#include "user/output/sorted.h"
#include "user/output/text.h"

static void format_line(const struct sorted *s, size_t i, struct buf *line)
{
	struct profile_stack stack = sorted_get(s, i);

	buf_reset(line);
	text_name(sorted_command(s, &stack), line);
	for (size_t k = 0; k < stack.depth; k++) {
		buf_addc(line, ';');
		buf_adds(line, labels_get(&s->text, stack.frame[k]));
	}
	buf_addf(line, " %llu\n", stack.sum.weight);
}

int folded_write(struct profile *p, FILE *out)
{
	struct buf line = { 0 };
	struct sorted s;
	int err = 0;

	sorted_make(&s, p);
	for (size_t i = 0; i < s.n && !err; i++) {
		format_line(&s, i, &line);
		errno = 0;
		if (fwrite(line.data, 1, line.len, out) != line.len)
			err = errno ? -errno : -EIO;
	}
	if (!err && ferror(out))
		err = -EIO;
	buf_release(&line);
	sorted_release(&s);
	return err;
}
