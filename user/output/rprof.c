/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes the format of R's Rprof().  Files are numbered in the order in which they are
 * first written.
 *
 * Names are those that R users know from Rprof(): no package, <Anonymous> for a
 * function without a name, and no frame for the interpreter itself, whose time counts
 * as the innermost function's own.
 */
#include "user/output/rprof.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/sorted.h"
#include "user/output/text.h"

/* Microseconds; R's default, used if the profile has no interval. */
#define USUAL_INTERVAL 20000u
#define NO_BREAK_SPACE "\xc2\xa0"

struct rprof {
	struct profile *profile;
	struct sorted sorted;
	struct labels names; /* names by frame id */
	/* Numbers of files by text id, from 1; 0: not written yet. */
	unsigned *number;
	unsigned numbered;
	/* The line being made, with the #File lines before it. */
	struct buf text;
};

static void add_unbroken(const struct buf *text, struct buf *out)
{
	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] == ' ')
			buf_adds(out, NO_BREAK_SPACE);
		else
			buf_addc(out, text->data[i]);
	}
}

static void add_name(void *ctx, u32 id, struct buf *out)
{
	const struct profile *p = ctx;
	const struct frame *f = profile_frame(p, id);
	bool bare = f->file || !(f->line || f->expression);
	struct buf text = { 0 };

	if (f->flags & FRAME_ANONYMOUS && !f->name && bare)
		buf_adds(&text, "<Anonymous>");
	else
		text_frame(p, f, bare ? 0 : TEXT_PLACE, &text);
	add_unbroken(&text, out);
	buf_release(&text);
}

/* Whether any frame has a source file.  Every frame of a profile is in some stack. */
static bool has_places(const struct profile *p)
{
	for (u32 i = 0; i < intern_count(p->frames); i++)
		if (profile_frame(p, i)->file)
			return true;
	return false;
}

/* Append a #File line for each file of the stack that has no number yet. */
static void number_files(struct rprof *r, const struct profile_stack *s)
{
	for (size_t k = s->depth; k > 0; k--) {
		u32 file = profile_frame(r->profile, s->frame[k - 1])->file;
		const char *path = profile_text(r->profile, file);

		if (!file || r->number[file])
			continue;
		r->number[file] = ++r->numbered;
		buf_addf(&r->text, "#File %u: ", r->numbered);
		escape_text(path, ESCAPE_TEXT, &r->text);
		buf_addc(&r->text, '\n');
	}
}

static void add_line(struct rprof *r, const struct profile_stack *s)
{
	struct buf command = { 0 };

	for (size_t k = s->depth; k > 0; k--) {
		const struct frame *f =
			profile_frame(r->profile, s->frame[k - 1]);

		if (f->type == FRAME_IS_INTERPRETER)
			continue;
		if (f->file)
			buf_addf(&r->text, "%u#%u ", r->number[f->file],
				 f->line);
		buf_addf(&r->text, "\"%s\" ",
			 labels_get(&r->names, s->frame[k - 1]));
	}
	text_name(sorted_command(&r->sorted, s), &command);
	buf_addc(&r->text, '"');
	add_unbroken(&command, &r->text);
	buf_adds(&r->text, "\" \n");
	buf_release(&command);
}

static int put(const struct buf *text, FILE *out)
{
	errno = 0;
	if (fwrite(text->data, 1, text->len, out) == text->len)
		return 0;
	return errno ? -errno : -EIO;
}

static int write_stack(struct rprof *r, const struct profile_stack *s,
		       FILE *out)
{
	int err;

	buf_reset(&r->text);
	number_files(r, s);
	err = put(&r->text, out);
	buf_reset(&r->text);
	add_line(r, s);
	for (u64 i = 0; i < s->sum.weight && !err; i++)
		err = put(&r->text, out);
	return err;
}

int rprof_write(struct profile *p, FILE *out)
{
	struct rprof r = {
		.profile = p,
		.number = xcalloc(intern_count(p->texts), sizeof(*r.number)),
	};
	int err;

	sorted_make(&r.sorted, p);
	labels_make(&r.names, intern_count(p->frames), add_name, p);
	buf_addf(&r.text, "%ssample.interval=%llu\n",
		 has_places(p) ? "line profiling: " : "",
		 p->interval ? p->interval : USUAL_INTERVAL);
	err = put(&r.text, out);
	for (size_t i = 0; i < r.sorted.n && !err; i++) {
		struct profile_stack s = sorted_get(&r.sorted, i);

		err = write_stack(&r, &s, out);
	}
	if (!err && ferror(out))
		err = -EIO;
	sorted_release(&r.sorted);
	labels_release(&r.names);
	buf_release(&r.text);
	free(r.number);
	return err;
}
