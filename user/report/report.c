/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Each kind of report is a choice of labels, put into a tree or a list; two profiles have
 * the same labels, and each is on its side. */
#include "user/report/report.h"

#include <errno.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/output/text.h"
#include "user/profile/profile.h"
#include "user/report/counts.h"
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
	const struct report_options *o = page->options;
	_cleanup_buf_ struct buf text = { 0 };

	add_commands(r);
	add_total(r, 0, "");
	if (o->event < p->events && o->by != REPORT_EVENT)
		add_named(r, "", p->event[o->event].name);
	add_named(r, "host ", p->host);
	page_part(page, NULL);
	if (!page->total[0])
		return;
	page_part(page, "In: itself");
	page_part(page, "Under: it and below");
	buf_addf(&text, "left out: below %g %%", o->least);
	if (o->least > 0 && !o->source)
		page_part(page, text.data);
}

static void add_changes(struct report *r)
{
	struct page *page = &r->page;

	add_total(r, 0, "A: ");
	add_total(r, 1, "B: ");
	page_part(page, "Under: it and below");
	page_part(page,
		  page->options->as_they_are ? "B as it is" : "B in A's total");
	page_part(page, "~: may be chance");
}

/* Calls that were followed are of the whole run, whatever samples are chosen. */
static void put_calls(struct page *page, const struct profile *p)
{
	if (!p->calls || page->compares || page->options->by != REPORT_TREE)
		return;
	page_line(page, "");
	page_line(page, "Calls that were followed:");
	counts_put(p->call, p->calls, page->out);
}

static int print(struct report *r)
{
	struct page *page = &r->page;

	(page->compares ? add_changes : add_heading)(r);
	page_part(page, NULL);
	if (!page->total[0] && !page->total[1]) {
		page_line(page, "No samples.");
		put_calls(page, r->side[0].profile);
		return 0;
	}
	page_line(page, "");
	if (page->options->source)
		return report_source(r);
	if (page->options->calls)
		return report_calls(r);
	(page->options->by == REPORT_TREE ? tree_build : tree_list)(&r->tree);
	page_tree(page, &r->tree);
	put_calls(page, r->side[0].profile);
	return 0;
}

/* A line for each node in which a stack ends. */
static int print_folded(struct report *r)
{
	const struct page *p = &r->page;
	bool scales = !p->options->as_they_are && p->total[0] && p->total[1];
	double scale = scales ? (double)p->total[0] / p->total[1] : 1;
	_cleanup_free_ size_t *end = NULL; /* of the line, by depth */
	_cleanup_buf_ struct buf line = { 0 };
	size_t capacity = 0;
	int err = ferror(p->out) ? -EIO : 0;

	tree_build(&r->tree);
	for (size_t i = 1; i < r->tree.n && !err; i++) {
		const struct tree_node *n = &r->tree.node[i];
		const char *label = intern_get(r->page.labels, n->name, NULL);

		end = xgrow(end, n->depth, &capacity, sizeof(*end));
		line.len = n->depth > 1 ? end[n->depth - 1] : 0;
		if (n->depth > 1)
			buf_addc(&line, ';');
		buf_adds(&line, label + 1);
		end[n->depth] = line.len;
		if (!n->in[0] && !n->in[1])
			continue;
		buf_addf(&line, " %llu %.0f\n", n->in[0], n->in[1] * scale);
		err = format_put(&line, p->out);
	}
	return err;
}

static enum page_unit unit_of(const struct profile *p, u32 event,
			      const struct report_options *o)
{
	const char *unit;

	if (o->counts_only || o->by == REPORT_EVENT || o->by == REPORT_FOLDED ||
	    event >= p->events)
		return PAGE_SAMPLES;
	unit = profile_text(p, p->event[event].unit);
	return !strcmp(unit, "nanoseconds") ? PAGE_TIME
	       : !strcmp(unit, "bytes")	    ? PAGE_BYTES
	       : !strcmp(unit, "counts")    ? PAGE_COUNTS
					    : PAGE_SAMPLES;
}

static void add_side(struct report *r, int side, struct profile *p, u32 event)
{
	const struct report_options *o = r->page.options;
	struct side *s = &r->side[side];

	if (o->source)
		*s = (struct side){ p, .frames = report_lines(p, o->source) };
	else
		*s = label_side(r->page.labels, p, o->by);
	s->event = event;
	s->counts = unit_of(p, event, o) == PAGE_SAMPLES;
	side_add(s, &r->tree, side);
	r->page.total[side] = s->total;
	r->page.samples[side] = s->samples;
}

int report_print(struct profile *a, struct profile *b,
		 const struct report_options *options, FILE *out)
{
	struct report_options o = *options;
	struct report r = { .page = { .out = out,
				      .options = &o,
				      .labels = intern_new(),
				      .compares = b } };
	int err;

	if (o.width < PAGE_LEAST)
		o.width = PAGE_LEAST;
	if (o.calls || o.source)
		o.by = o.calls ? REPORT_TREE : REPORT_LINE;
	r.page.unit = unit_of(a, o.event, &o);
	add_side(&r, 0, a, o.event);
	if (b)
		add_side(
			&r, 1, b,
			o.event < a->events
				? side_event(b,
					     profile_text(
						     a, a->event[o.event].name))
				: o.event);
	err = o.by == REPORT_FOLDED ? print_folded(&r) : print(&r);
	for (int side = 0; side < TREE_SIDES; side++)
		side_release(&r.side[side]);
	tree_release(&r.tree);
	intern_free(r.page.labels);
	buf_release(&r.page.line);
	return r.page.err ? r.page.err : err;
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
