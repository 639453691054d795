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
	struct intern *names;
	u32 *name; /* the id in names of each frame id */
	/* Numbers of files by text id, from 1; 0: not written yet. */
	unsigned *number;
	unsigned numbered;
	struct output out;
};

static void put_quoted(const char *name, struct buf *out)
{
	buf_addc(out, '"');
	for (; *name; name++)
		if (*name == ' ')
			buf_adds(out, NO_BREAK_SPACE);
		else
			buf_addc(out, *name);
	buf_adds(out, "\" ");
}

static void put_name(const struct profile *p, const struct frame *f,
		     struct buf *out)
{
	bool bare = f->file || !(f->line || f->expression);
	_cleanup_buf_ struct buf name = { 0 };

	if (f->flags & FRAME_ANONYMOUS && !f->name && bare)
		buf_adds(&name, "<Anonymous>");
	else
		text_frame(p, f, bare ? 0 : TEXT_PLACE, &name);
	put_quoted(buf_text(&name), out);
}

/* Every frame of a profile is in some stack. */
static bool has_places(const struct profile *p)
{
	for (u32 i = 0; i < intern_count(p->frames); i++)
		if (profile_frame(p, i)->file)
			return true;
	return false;
}

/* Write a #File line if the file has no number yet. */
static void number_file(struct rprof *r, u32 file)
{
	struct buf *out = &r->out.text;

	if (r->number[file])
		return;
	r->number[file] = ++r->numbered;
	buf_addf(out, "#File %u: ", r->numbered);
	escape_text(profile_text(r->profile, file), ESCAPE_TEXT, out);
	buf_addc(out, '\n');
}

static void put_line(struct rprof *r, const struct profile_stack *s,
		     struct buf *out)
{
	_cleanup_buf_ struct buf command = { 0 };

	for (size_t k = s->depth; k-- > 0;) {
		const struct frame *f = profile_frame(r->profile, s->frame[k]);

		if (f->type == FRAME_IS_INTERPRETER)
			continue;
		if (f->file) {
			number_file(r, f->file);
			buf_addf(out, "%u#%u ", r->number[f->file], f->line);
		}
		buf_adds(out, intern_get(r->names, r->name[s->frame[k]], NULL));
	}
	text_name(profile_command(r->profile, s), &command);
	put_quoted(command.data, out);
	buf_addc(out, '\n');
}

static void put_stack(struct rprof *r, const struct profile_stack *s)
{
	_cleanup_buf_ struct buf line = { 0 };

	put_line(r, s, &line);
	for (u64 i = 0; i < s->sum.weight && !r->out.err; i++) {
		buf_add(&r->out.text, line.data, line.len);
		output_put(&r->out);
	}
}

int rprof_write(struct profile *p, FILE *file)
{
	struct rprof r = {
		.profile = p,
		.names = intern_new(),
		.number = xcalloc(intern_count(p->texts), sizeof(*r.number)),
		.out.file = file,
	};

	sorted_make(&r.sorted, p);
	r.name = text_make(p, r.names, put_name);
	buf_addf(&r.out.text, "%ssample.interval=%llu\n",
		 has_places(p) ? "line profiling: " : "",
		 p->event[0].interval ? (p->event[0].interval + 500) / 1000
				      : USUAL_INTERVAL);
	for (size_t i = 0; i < r.sorted.n; i++) {
		struct profile_stack s = sorted_get(&r.sorted, i);

		put_stack(&r, &s);
	}
	sorted_release(&r.sorted);
	intern_free(r.names);
	free(r.name);
	free(r.number);
	return output_end(&r.out);
}
