/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Each kind of report is a choice of labels, put into a tree or a list; two profiles have
 * the same labels, and each is on its side. */
#include "user/report/report.h"

#include <string.h>

#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"
#include "user/report/pager.h"
#include "user/report/report_part.h"

const char *const report_lists[] = { "function", "space",  "line",  "module",
				     "process",	 "thread", "event", NULL };

/* The commands that ran, the first few of them. */
static void add_commands(struct report *r)
{
	struct profile *p = r->side[0].profile;
	_cleanup_buf_ struct buf text = { 0 };
	struct intern *seen = intern_new();

	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack s = profile_stack(p, i);
		size_t n = intern_count(seen);

		if (intern_text(seen, profile_command(p, &s)) < n)
			continue;
		buf_adds(&text, n ? ", " : "");
		if (n == 3) {
			buf_adds(&text, "…");
			break;
		}
		text_name(profile_command(p, &s), &text);
	}
	intern_free(seen);
	if (text.len)
		page_part(&r->page, text.data);
}

static void add_total(struct report *r, int side, const char *before)
{
	_cleanup_buf_ struct buf text = { 0 };

	buf_addf(&text, "%s%llu samples", before, r->page.samples[side]);
	page_part(&r->page, text.data);
	if (r->page.unit == PAGE_SAMPLES)
		return;
	buf_reset(&text);
	page_number(&r->page, r->page.total[side], &text);
	page_part(&r->page, text.data);
}

static void add_named(struct report *r, const char *before, u32 text)
{
	_cleanup_buf_ struct buf line = { 0 };

	if (!text)
		return;
	buf_adds(&line, before);
	text_name(profile_text(r->side[0].profile, text), &line);
	page_part(&r->page, line.data);
}

static void add_heading(struct report *r)
{
	const struct profile *p = r->side[0].profile;
	struct page *page = &r->page;
	_cleanup_buf_ struct buf text = { 0 };

	add_commands(r);
	add_total(r, 0, "");
	if (r->options->event < p->events && r->by != REPORT_EVENT)
		add_named(r, "", p->event[r->options->event].name);
	add_named(r, "host ", p->host);
	page_part(page, NULL);
	if (!page->total[0])
		return;
	page_part(page, "In: itself");
	page_part(page, "Under: it and below");
	buf_addf(&text, "left out: below %g %%", page->least);
	if (page->least > 0 && !r->options->source)
		page_part(page, text.data);
}

static void add_changes(struct report *r)
{
	struct page *page = &r->page;

	add_total(r, 0, "A: ");
	add_total(r, 1, "B: ");
	page_part(page, "Under: it and below");
	page_part(page, page->as_they_are ? "B as it is" : "B in A's total");
	page_part(page, "~: may be chance");
}

static int print(struct report *r)
{
	struct page *page = &r->page;

	(page->compares ? add_changes : add_heading)(r);
	page_part(page, NULL);
	if (!page->total[0] && !page->total[1]) {
		page_line(page, "No samples.");
		return 0;
	}
	page_line(page, "");
	if (r->options->source)
		return report_source(r);
	if (r->options->calls)
		return report_calls(r);
	(r->by == REPORT_TREE ? tree_build : tree_list)(&r->tree);
	page_columns(page);
	page_tree(page, &r->tree);
	return 0;
}

static int unit_of(const struct report *r, const struct profile *p, u32 event)
{
	const char *unit;

	if (r->options->counts_only || r->by == REPORT_EVENT ||
	    r->by == REPORT_FOLDED || event >= p->events)
		return PAGE_SAMPLES;
	unit = profile_text(p, p->event[event].unit);
	return !strcmp(unit, "nanoseconds") ? PAGE_TIME
	       : !strcmp(unit, "bytes")	    ? PAGE_BYTES
					    : PAGE_SAMPLES;
}

static void add_side(struct report *r, int side, struct profile *p, u32 event)
{
	const char *source = r->options->source;
	struct side *s = &r->side[side];

	if (source)
		*s = (struct side){ p, .frames = report_lines(p, source) };
	else
		*s = label_side(r->labels, p, r->by);
	s->event = event;
	s->counts = unit_of(r, p, event) == PAGE_SAMPLES;
	side_add(s, &r->tree, side);
	r->page.total[side] = s->total;
	r->page.samples[side] = s->samples;
}

int report_print(struct profile *a, struct profile *b,
		 const struct report_options *o, FILE *out)
{
	struct report r = {
		.options = o,
		.by = o->calls	  ? REPORT_TREE
		      : o->source ? REPORT_LINE
				  : o->by,
		.labels = intern_new(),
		.page = { .out = out,
			  .width =
				  o->width < PAGE_LEAST ? PAGE_LEAST : o->width,
			  .color = o->color,
			  .least = o->least,
			  .depth = o->depth,
			  .compares = b,
			  .as_they_are = o->as_they_are },
	};
	u32 event = o->event;
	int err, failed;

	r.page.labels = r.labels;
	r.page.unit = unit_of(&r, a, event);
	r.page.changes = b && r.by != REPORT_TREE;
	add_side(&r, 0, a, event);
	if (b && event < a->events)
		event = side_event(b, profile_text(a, a->event[event].name));
	if (b)
		add_side(&r, 1, b, event);
	err = r.by == REPORT_FOLDED ? report_folded(&r) : print(&r);
	for (int side = 0; side < TREE_SIDES; side++)
		side_release(&r.side[side]);
	tree_release(&r.tree);
	intern_free(r.labels);
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

	return report_print(p, NULL, &options, out);
}
