/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Each frame is escaped once, not once for every stack that has the frame. */
#include "user/output/folded.h"

#include <errno.h>
#include <string.h>

#include "user/output/escape.h"
#include "user/output/sorted.h"

void folded_escape(const char *text, struct buf *out)
{
	escape_name(text, strlen(text), ";", out);
}

static void add_escaped(void *ctx, u32 id, struct buf *out)
{
	const struct sorted *s = ctx;

	folded_escape(labels_get(&s->text, id), out);
}

static void format_line(const struct sorted *s, size_t i,
			const struct labels *escaped, struct buf *line)
{
	struct profile_stack stack = sorted_get(s, i);

	buf_reset(line);
	folded_escape(sorted_command(s, &stack), line);
	for (size_t k = 0; k < stack.depth; k++) {
		buf_addc(line, ';');
		buf_adds(line, labels_get(escaped, stack.frame[k]));
	}
	buf_addf(line, " %llu\n", stack.sum.samples);
}

int folded_write(struct profile *p, FILE *out)
{
	struct labels escaped;
	struct buf line = { 0 };
	struct sorted s;
	int err = 0;

	sorted_make(&s, p);
	labels_make(&escaped, intern_count(p->frames), add_escaped, &s);
	for (size_t i = 0; i < s.n && !err; i++) {
		format_line(&s, i, &escaped, &line);
		errno = 0;
		if (fwrite(line.data, 1, line.len, out) != line.len)
			err = errno ? -errno : -EIO;
	}
	if (!err && ferror(out))
		err = -EIO;
	buf_release(&line);
	labels_release(&escaped);
	sorted_release(&s);
	return err;
}
