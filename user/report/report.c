/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Each kind of report is a choice of labels, put into a tree or a list. */
#include "user/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/report/pager.h"
#include "user/report/report_part.h"
#include "user/output/text.h"
#include "user/profile/profile.h"
#include "user/view/flat.h"

const char *const report_lists[] = { "function", "space",  "line",  "module",
				     "process",	 "thread", "event", NULL };

static void add_label(struct report *r, u32 label)
{
	r->path = xgrow(r->path, r->depth, &r->capacity, sizeof(*r->path));
	r->path[r->depth++] = label;
}

bool report_path(struct report *r, u32 id, u64 *number)
{
	struct profile_stack s = profile_stack(r->profile, id);
	enum report_by by = r->by;

	if (s.key->event != r->options->event && by != REPORT_EVENT)
		return false;
	*number = measure_number(&r->page.measure, &s.sum);
	r->depth = 0;
	if (by == REPORT_PROCESS || by == REPORT_THREAD) {
		add_label(r, label_task(&r->labels, r->profile, &s,
					by == REPORT_THREAD));
		return true;
	}
	if (by == REPORT_EVENT) {
		u32 name = r->profile->event[s.key->event].name;

		add_label(r, label_add(&r->labels, ' ',
				       profile_text(r->profile, name)));
		return true;
	}
	if (by == REPORT_TREE)
		add_label(r, label_command(&r->labels, r->profile, &s));
	for (size_t i = 0; i < s.depth; i++)
		add_label(r, r->frames[s.frame[i]]);
	return true;
}

static void print_tree(struct report *r)
{
	struct tree t = { 0 };
	u64 number;

	for (u32 i = 0; i < intern_count(r->profile->stacks); i++)
		if (report_path(r, i, &number))
			tree_add(&t, r->path, r->depth, 0, number);
	tree_build(&t);
	page_tree(&r->page, &t);
	tree_release(&t);
}

static void print_flat(struct report *r)
{
	struct flat f = { 0 };
	u64 number;

	for (u32 i = 0; i < intern_count(r->profile->stacks); i++)
		if (report_path(r, i, &number))
			flat_add(&f, r->path, r->depth, 0, number);
	page_flat(&r->page, &f);
	flat_release(&f);
}

/* The commands that ran, the first few of them. */
static void add_commands(struct report *r)
{
	_cleanup_buf_ struct buf text = { 0 };
	u32 seen[3];
	size_t n = 0, k;

	for (u32 i = 0; i < intern_count(r->profile->stacks) && n < 4; i++) {
		struct profile_stack s = profile_stack(r->profile, i);
		u32 comm = profile_task(r->profile, s.key->task)->comm;

		for (k = 0; k < n && seen[k] != comm; k++)
			;
		if (k < n)
			continue;
		buf_adds(&text, n ? ", " : "");
		if (n < 3)
			text_name(profile_text(r->profile, comm), &text);
		else
			buf_adds(&text, "…");
		if (n < 3)
			seen[n] = comm;
		n++;
	}
	if (n)
		page_part(&r->page, text.data);
}

static void add_named(struct report *r, const char *before, u32 text)
{
	_cleanup_buf_ struct buf line = { 0 };

	if (!text)
		return;
	buf_adds(&line, before);
	text_name(profile_text(r->profile, text), &line);
	page_part(&r->page, line.data);
}

static void add_heading(struct report *r, u64 samples)
{
	const struct profile *p = r->profile;
	struct page *page = &r->page;
	_cleanup_buf_ struct buf text = { 0 };

	add_commands(r);
	buf_addf(&text, "%llu samples", samples);
	page_part(page, text.data);
	buf_reset(&text);
	measure_format(&page->measure, page->total[0], &text);
	if (page->measure.unit != MEASURE_SAMPLES)
		page_part(page, text.data);
	if (r->options->event < p->events && r->by != REPORT_EVENT)
		add_named(r, "", p->event[r->options->event].name);
	add_named(r, "host ", p->host);
	page_part(page, NULL);
	if (!page->total[0])
		return;
	page_part(page, "In: itself");
	page_part(page, "Under: it and below");
	if (page->least > 0 && !r->options->source) {
		buf_reset(&text);
		buf_addf(&text, "left out: below %g %%", page->least);
		page_part(page, text.data);
	}
	page_part(page, NULL);
	page_line(page, "");
}

/* The number of samples; their measure is the page's total. */
static u64 add_up(struct report *r)
{
	u64 samples = 0, number;

	for (u32 i = 0; i < intern_count(r->profile->stacks); i++) {
		if (!report_path(r, i, &number))
			continue;
		samples += profile_stack(r->profile, i).sum.weight;
		r->page.total[0] += number;
	}
	return samples;
}

static int print_body(struct report *r)
{
	const struct report_options *o = r->options;

	if (!r->page.total[0]) {
		page_line(&r->page, "No samples.");
		return 0;
	}
	if (o->source)
		return report_source(r);
	if (o->calls)
		return report_calls(r);
	page_columns(&r->page);
	if (r->by == REPORT_TREE)
		print_tree(r);
	else
		print_flat(r);
	return 0;
}

int report_print(struct profile *p, const struct report_options *options,
		 FILE *out)
{
	static const enum label_by label[] = {
		[REPORT_SPACE] = LABEL_SPACE,
		[REPORT_LINE] = LABEL_LINE,
		[REPORT_MODULE] = LABEL_MODULE,
		[REPORT_EVENT] = LABEL_FUNCTION,
	};
	struct report r = {
		.profile = p,
		.options = options,
		.by = options->calls || options->source ? REPORT_TREE
							: options->by,
		.page = { .out = out,
			  .width = options->width < PAGE_LEAST ? PAGE_LEAST
							       : options->width,
			  .color = options->color,
			  .least = options->least,
			  .depth = options->depth },
	};
	int err, failed;

	r.page.labels = &r.labels;
	r.page.measure =
		measure_of(p, options->event,
			   options->counts_only || r.by == REPORT_EVENT);
	r.frames = label_frames(&r.labels, p, label[r.by]);
	add_heading(&r, add_up(&r));
	err = print_body(&r);
	free(r.frames);
	free(r.path);
	intern_free(r.labels.of);
	failed = page_end(&r.page);
	return failed ? failed : err;
}

struct report_options report_defaults(FILE *out)
{
	return (struct report_options){
		.least = 0.5,
		.width = pager_width(fileno(out)),
		.color = pager_color(fileno(out)),
	};
}

int report_write(struct profile *p, FILE *out)
{
	struct report_options options = report_defaults(out);

	return report_print(p, &options, out);
}
