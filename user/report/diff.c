/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Both profiles have the same labels, and go into one tree or list, each on its side. */
#include "user/report/diff.h"

#include <errno.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/profile/profile.h"
#include "user/report/label.h"
#include "user/report/page.h"
#include "user/view/flat.h"

struct diff {
	struct page page; /* the first: what its functions get */
	const struct diff_options *options;
	struct labels labels;
	struct tree tree;
	struct flat flat;
	u64 total[TREE_SIDES], samples[TREE_SIDES];
};

/* The event in B that has the name of A's. */
static u32 event_of(const struct profile *a, const struct profile *b, u32 event)
{
	u32 i = 0;

	if (event >= a->events)
		return event;
	while (i < b->events && strcmp(profile_text(a, a->event[event].name),
				       profile_text(b, b->event[i].name)) != 0)
		i++;
	return b->events ? i : event;
}

static void add_profile(struct diff *d, struct profile *p, u32 event, u32 side,
			enum label_by by)
{
	_cleanup_free_ u32 *frames = label_frames(&d->labels, p, by);
	_cleanup_free_ u32 *path = NULL;
	struct measure m = measure_of(p, event, d->options->counts_only);
	size_t capacity = 0;

	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack s = profile_stack(p, i);
		u64 number = measure_number(&m, &s.sum);

		if (s.key->event != event)
			continue;
		path = xgrow(path, s.depth, &capacity, sizeof(*path));
		path[0] = label_command(&d->labels, p, &s);
		for (size_t k = 0; k < s.depth; k++)
			path[k + 1] = frames[s.frame[k]];
		d->total[side] += number;
		d->samples[side] += s.sum.weight;
		if (d->options->tree)
			tree_add(&d->tree, path, s.depth + 1, side, number);
		else
			flat_add(&d->flat, path + 1, s.depth, side, number);
	}
	if (!side)
		d->page.measure = m;
}

static void add_both(struct diff *d, struct profile *a, struct profile *b,
		     enum label_by by)
{
	u32 event = d->options->event;

	add_profile(d, a, event, 0, by);
	add_profile(d, b, event_of(a, b, event), 1, by);
	tree_build(&d->tree);
}

static void release(struct diff *d)
{
	tree_release(&d->tree);
	flat_release(&d->flat);
	intern_free(d->labels.of);
}

/* What a number of B is in A's total. */
static double scaled(const struct diff *d, u64 number)
{
	return d->options->as_they_are || !d->total[0] || !d->total[1]
		       ? number
		       : (double)number * d->total[0] / d->total[1];
}

int diff_folded(struct profile *a, struct profile *b,
		const struct diff_options *options, FILE *out)
{
	struct diff_options counts = *options;
	struct diff d = { .options = &counts };
	_cleanup_free_ size_t *end = NULL;
	_cleanup_buf_ struct buf line = { 0 };
	size_t capacity = 0;
	int err = ferror(out) ? -EIO : 0;

	counts.counts_only = counts.tree = true;
	add_both(&d, a, b, LABEL_WHOLE);
	for (size_t i = 1; i < d.tree.n && !err; i++) {
		const struct tree_node *n = &d.tree.node[i];

		end = xgrow(end, n->depth, &capacity, sizeof(*end));
		line.len = n->depth > 1 ? end[n->depth - 1] : 0;
		if (n->depth > 1)
			buf_addc(&line, ';');
		buf_adds(&line, label_text(&d.labels, n->name));
		end[n->depth] = line.len;
		if (!n->in[0] && !n->in[1])
			continue;
		buf_addf(&line, " %llu %.0f\n", n->in[0], scaled(&d, n->in[1]));
		err = format_put(&line, out);
	}
	release(&d);
	return err;
}

/* Shares of A's total. */
static double share(const struct diff *d, const u64 *number, int side)
{
	return d->page.total[side] ? (double)number[side] / d->page.total[side]
				   : 0;
}

static double square(double x)
{
	return x * x;
}

/* Two shares of so many samples: the test of two proportions; numbers as they are: that
 * of two counts.  Both compare squares. */
static bool is_noise(const struct page *p, const u64 *under)
{
	const struct diff *d = (const struct diff *)p;
	double n[TREE_SIDES], x[TREE_SIDES], both;

	if (!d->samples[0] || !d->samples[1])
		return false;
	for (int i = 0; i < TREE_SIDES; i++) {
		n[i] = d->samples[i];
		x[i] = d->total[i] ? n[i] * under[i] / d->total[i] : 0;
	}
	if (d->options->as_they_are)
		return square(x[0] - x[1]) <= 4 * (x[0] + x[1]);
	both = (x[0] + x[1]) / (n[0] + n[1]);
	return square(x[0] / n[0] - x[1] / n[1]) <=
	       4 * both * (1 - both) * (1 / n[0] + 1 / n[1]);
}

static void add_change(const struct page *p, const u64 *in, const u64 *under,
		       struct buf *out)
{
	const struct diff *d = (const struct diff *)p;
	double a = share(d, under, 0), b = share(d, under, 1);
	char text[32];

	(void)in;
	if (p->width >= 40)
		buf_addf(out, "%5.1f → %5.1f  ", 100 * a, 100 * b);
	if (!under[1])
		snprintf(text, sizeof(text), "gone");
	else if (!under[0])
		snprintf(text, sizeof(text), "new");
	else if (b > 10 * a)
		snprintf(text, sizeof(text), "x %.0f", b / a);
	else
		snprintf(text, sizeof(text), "%+.1f %%", 100 * (b / a - 1));
	buf_addf(out, "%c%8.8s  ", is_noise(p, under) ? '~' : ' ', text);
}

static void add_total(struct diff *d, const char *name, int side)
{
	_cleanup_buf_ struct buf text = { 0 };

	buf_addf(&text, "%s: %llu samples", name, d->samples[side]);
	page_part(&d->page, text.data);
	if (d->page.measure.unit == MEASURE_SAMPLES)
		return;
	buf_reset(&text);
	measure_format(&d->page.measure, d->total[side], &text);
	page_part(&d->page, text.data);
}

static void print(struct diff *d)
{
	struct page *p = &d->page;

	add_total(d, "A", 0);
	add_total(d, "B", 1);
	page_part(p, "Under: it and below");
	page_part(p, d->options->as_they_are ? "B as it is" : "B in A's total");
	page_part(p, "~: may be chance");
	page_part(p, NULL);
	if (!d->total[0] && !d->total[1]) {
		page_line(p, "No samples.");
		return;
	}
	page_line(p, "");
	page_columns(p);
	if (d->options->tree)
		page_tree(p, &d->tree);
	else
		page_flat(p, &d->flat);
}

int diff_report(struct profile *a, struct profile *b,
		const struct diff_options *options, FILE *out)
{
	unsigned width =
		options->width < PAGE_LEAST ? PAGE_LEAST : options->width;
	struct diff d = {
		.options = options,
		.page = { .out = out,
			  .width = width,
			  .color = options->color,
			  .least = options->least,
			  .depth = options->depth,
			  .cells = add_change,
			  .noise = is_noise,
			  .changes = true,
			  .columns = width < 40 ? "   Change"
						: "    A → B         Change" },
	};

	d.page.labels = &d.labels;
	add_both(&d, a, b, LABEL_FUNCTION);
	memcpy(d.page.total, d.total, sizeof(d.total));
	if (options->as_they_are && d.total[0])
		d.page.total[1] = d.total[0];
	print(&d);
	release(&d);
	return page_end(&d.page);
}
