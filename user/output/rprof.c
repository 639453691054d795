/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The format that R's Rprof() writes and its summaryRprof() reads: a line of settings,
 * then one line a sample, innermost frame first,
 *
 *   sample.interval=10101
 *   "spin" "work" "R"
 *
 * If the profile has source lines, the place where the function is running precedes its
 * name.  Files are numbered, and each number is defined before its first use:
 *
 *   line profiling: sample.interval=10101
 *   #File 1: /home/me/fit.R
 *   1#3 "spin" 1#8 "work" "R"
 *
 * A function of an R package is written without "package::", as R users mostly call it.
 *
 * Readers split a line at its blanks and take a word that begins with a quote for a
 * name.  A blank in a name therefore becomes a no-break space (U+00A0), which looks the
 * same; one that a name has is escaped.  Quotes are written as they are, as R does.
 *
 * Names are those that R users know from Rprof(): no package, <Anonymous> for a
 * function without a name, and no frame for the interpreter itself, whose time counts
 * as the innermost function's own.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/sorted.h"
#include "user/output/text.h"

/* Microseconds; R's default, used if the profile has no interval. */
#define USUAL_INTERVAL 20000u
#define NO_BREAK_SPACE "\xc2\xa0"

struct rprof {
	struct profile *profile;
	struct sorted sorted;
	struct buf names;
	size_t *at; /* where the name of each frame id begins; a NUL ends it */
	/* Numbers of files by text id, from 1; 0: not written yet. */
	unsigned *number;
	unsigned numbered;
	/* The line being made, and the #File lines before it. */
	struct buf text, files;
	struct buf name; /* being made */
};

static void make_name(struct rprof *r, const struct frame *f)
{
	bool bare = f->file || !(f->line || f->expression);

	if (f->flags & FRAME_ANONYMOUS && !f->name && bare)
		buf_adds(&r->name, "<Anonymous>");
	else
		text_frame(r->profile, f, bare ? 0 : TEXT_PLACE, &r->name);
}

/* Append the name that was made. */
static void add_name(struct rprof *r, struct buf *out)
{
	size_t len;

	buf_addc(out, '"');
	for (const char *at = buf_text(&r->name); *at; at += len + !!at[len]) {
		len = strcspn(at, " ");
		buf_add(out, at, len);
		if (at[len])
			buf_adds(out, NO_BREAK_SPACE);
	}
	buf_adds(out, "\" ");
	buf_reset(&r->name);
}

/* Make the names of all frames.  Returns whether any has a source file: every frame of a
 * profile is in some stack. */
static bool make_names(struct rprof *r)
{
	size_t n = intern_count(r->profile->frames);
	bool has_places = false;

	r->at = xcalloc(n, sizeof(*r->at));
	for (size_t i = 0; i < n; i++) {
		const struct frame *f = profile_frame(r->profile, i);

		r->at[i] = r->names.len;
		make_name(r, f);
		add_name(r, &r->names);
		buf_addc(&r->names, '\0');
		has_places |= f->file;
	}
	return has_places;
}

/* Append a #File line if the file has no number yet. */
static void number_file(struct rprof *r, u32 file)
{
	if (r->number[file])
		return;
	r->number[file] = ++r->numbered;
	buf_addf(&r->files, "#File %u: ", r->numbered);
	escape_text(profile_text(r->profile, file), ESCAPE_TEXT, &r->files);
	buf_addc(&r->files, '\n');
}

static void add_line(struct rprof *r, const struct profile_stack *s)
{
	for (size_t k = s->depth; k > 0; k--) {
		const struct frame *f =
			profile_frame(r->profile, s->frame[k - 1]);

		if (f->type == FRAME_IS_INTERPRETER)
			continue;
		if (f->file) {
			number_file(r, f->file);
			buf_addf(&r->text, "%u#%u ", r->number[f->file],
				 f->line);
		}
		buf_adds(&r->text, r->names.data + r->at[s->frame[k - 1]]);
	}
	text_name(profile_command(r->profile, s), &r->name);
	add_name(r, &r->text);
	buf_addc(&r->text, '\n');
}

static int write_stack(struct rprof *r, const struct profile_stack *s,
		       FILE *out)
{
	int err;

	buf_reset(&r->files);
	buf_reset(&r->text);
	add_line(r, s);
	err = format_put(&r->files, out);
	for (u64 i = 0; i < s->sum.weight && !err; i++)
		err = format_put(&r->text, out);
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
	buf_addf(&r.text, "%ssample.interval=%llu\n",
		 make_names(&r) ? "line profiling: " : "",
		 p->event[0].interval ? (p->event[0].interval + 500) / 1000
				      : USUAL_INTERVAL);
	err = format_put(&r.text, out);
	for (size_t i = 0; i < r.sorted.n && !err; i++) {
		struct profile_stack s = sorted_get(&r.sorted, i);

		err = write_stack(&r, &s, out);
	}
	sorted_release(&r.sorted);
	buf_release(&r.text);
	buf_release(&r.files);
	buf_release(&r.name);
	buf_release(&r.names);
	free(r.at);
	free(r.number);
	return err;
}
