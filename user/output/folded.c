/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Each string is escaped once, not once for every stack that it is in: the
 * escaped forms stand in one buffer, found by string id.
 */
#include "user/output/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/profile/profile.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"

void folded_escape(const char *text, struct buf *out)
{
	escape_name(text, strlen(text), ";", out);
}

/* Escaped strings, made when first needed. */
struct escaped {
	struct buf text;
	size_t *at; /* offset + 1 in text, by string id; 0: not made yet */
	size_t capacity;
};

static const char *escape(struct escaped *e, const struct profile *p, u32 id)
{
	size_t before = e->capacity;

	e->at = xgrow(e->at, id, &e->capacity, sizeof(*e->at));
	if (e->capacity > before)
		memset(e->at + before, 0,
		       (e->capacity - before) * sizeof(*e->at));
	if (!e->at[id]) {
		e->at[id] = e->text.len + 1;
		folded_escape(profile_text(p, id), &e->text);
		buf_addc(&e->text, '\0');
	}
	return buf_text(&e->text) + e->at[id] - 1;
}

static void format_line(const struct profile *p, size_t i, struct escaped *e,
			struct buf *line)
{
	struct profile_stack s = profile_get(p, i);

	buf_reset(line);
	for (size_t k = 0; k < s.depth; k++) {
		if (k)
			buf_addc(line, ';');
		buf_adds(line, escape(e, p, s.frame[k]));
	}
	buf_addf(line, " %llu\n", s.count);
}

int folded_write(const struct profile *p, FILE *out)
{
	struct escaped e = { 0 };
	struct buf line = { 0 };
	int err = 0;

	for (size_t i = 0; i < profile_count(p) && !err; i++) {
		format_line(p, i, &e, &line);
		errno = 0;
		if (fwrite(line.data, 1, line.len, out) != line.len)
			err = errno ? -errno : -EIO;
	}
	if (!err && ferror(out))
		err = -EIO;
	buf_release(&line);
	buf_release(&e.text);
	free(e.at);
	return err;
}
