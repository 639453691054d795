/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A line is made in one buffer; the columns it has are counted beside it, since colours
 * and characters of several bytes take none. */
#include "user/report/page.h"

#include <string.h>

#include "user/lib/intern.h"
#include "user/output/format.h"
#include "user/report/column.h"

#define BOLD "1"
#define DIM  "2"

static void add(struct page *p, const char *color, const char *text)
{
	if (p->options->color && color && *text)
		buf_addf(&p->line, "\033[%sm%s\033[0m", color, text);
	else
		buf_adds(&p->line, text);
	p->used += column_width(text);
}

static void add_cut(struct page *p, const char *color, const char *text,
		    bool middle)
{
	_cleanup_buf_ struct buf cut = { 0 };

	column_cut(text,
		   p->used < p->options->width ? p->options->width - p->used
					       : 0,
		   middle, &cut);
	add(p, color, buf_text(&cut));
}

static void end_line(struct page *p)
{
	while (p->line.len && p->line.data[p->line.len - 1] == ' ')
		p->line.data[--p->line.len] = '\0';
	buf_addc(&p->line, '\n');
	if (!p->err)
		p->err = format_put(&p->line, p->out);
	buf_reset(&p->line);
	p->used = 0;
}

/* The text, which is cut, and the line is written. */
static void end_with(struct page *p, const char *color, const char *text,
		     bool middle)
{
	add_cut(p, color, text, middle);
	end_line(p);
}

void page_part(struct page *p, const char *text)
{
	static const char between[] = " · ";
	size_t width = text ? column_width(text) : 0;

	if (p->used &&
	    (!text || p->used + strlen(" - ") + width > p->options->width))
		end_line(p);
	if (!text)
		return;
	if (p->used)
		add(p, DIM, between);
	add_cut(p, BOLD, text, true);
}

void page_line(struct page *p, const char *text)
{
	end_with(p, NULL, text, true);
}

double page_percent(const struct page *p, const u64 *number, int side)
{
	u64 total = p->total[p->options->as_they_are && p->total[0] ? 0 : side];

	return total ? 100.0 * number[side] / total : 0;
}

double page_share(const struct page *p, const u64 *number)
{
	double a = page_percent(p, number, 0), b = page_percent(p, number, 1);

	return a > b ? a : b;
}

void page_number(const struct page *p, u64 number, struct buf *out)
{
	if (p->unit == PAGE_TIME)
		buf_addf(out, "%.2f s", number / 1e9);
	else if (p->unit == PAGE_BYTES)
		buf_addf(out, "%.1f KiB", number / 1024.0);
	else
		buf_addf(out, "%llu", number);
}

static double square(double x)
{
	return x * x;
}

/* Two shares of so many samples: the test of two proportions; numbers as they are: that
 * of two counts.  Both compare squares. */
static bool is_noise(const struct page *p, const u64 *under)
{
	double n[TREE_SIDES], x[TREE_SIDES], both;

	if (!p->compares || !p->samples[0] || !p->samples[1])
		return false;
	for (int i = 0; i < TREE_SIDES; i++) {
		n[i] = p->samples[i];
		x[i] = p->total[i] ? n[i] * under[i] / p->total[i] : 0;
	}
	if (p->options->as_they_are)
		return square(x[0] - x[1]) <= 4 * (x[0] + x[1]);
	both = (x[0] + x[1]) / (n[0] + n[1]);
	return square(x[0] / n[0] - x[1] / n[1]) <=
	       4 * both * (1 - both) * (1 / n[0] + 1 / n[1]);
}

static void add_change(const struct page *p, const u64 *under, struct buf *out)
{
	double a = page_percent(p, under, 0), b = page_percent(p, under, 1);
	char text[32];

	if (p->options->width >= 40)
		buf_addf(out, "%5.1f → %5.1f  ", a, b);
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

/* Columns of the greatest value, or 0 where there is no room for values. */
static int value_width(const struct page *p)
{
	_cleanup_buf_ struct buf text = { 0 };

	if (p->options->width < 60)
		return 0;
	page_number(p, p->total[0], &text);
	return text.len > strlen("Under") ? text.len : strlen("Under");
}

static void add_value(const struct page *p, const u64 *number, struct buf *out)
{
	_cleanup_buf_ struct buf text = { 0 };
	int width = value_width(p);

	page_number(p, *number, &text);
	if (width)
		buf_addf(out, "%*s ", width, text.data);
	buf_addf(out, "%5.1f  ", page_percent(p, number, 0));
}

static bool has_in(const struct page *p)
{
	return p->options->width >= 40 && !p->under_only;
}

static void add_cells(const struct page *p, const struct tree_node *n,
		      struct buf *out)
{
	if (p->compares) {
		add_change(p, n->under, out);
		return;
	}
	add_value(p, n->under, out);
	if (has_in(p))
		add_value(p, n->in, out);
}

static void put_cells(struct page *p, const struct tree_node *n)
{
	_cleanup_buf_ struct buf text = { 0 };

	add_cells(p, n, &text);
	if (!n->under[0] && !p->compares)
		memset(text.data, ' ', text.len);
	p->dim = is_noise(p, n->under);
	add(p, p->dim ? DIM : NULL, text.data);
}

void page_columns(struct page *p)
{
	static const char *const name[] = { "Under", "In" };
	_cleanup_buf_ struct buf text = { 0 };
	int width = value_width(p);

	if (p->compares)
		buf_adds(&text, p->options->width < 40
					? "   Change"
					: "    A → B         Change");
	for (int i = 0; !p->compares && i < 1 + has_in(p); i++)
		if (width)
			buf_addf(&text, "%*s     %%  ", width, name[i]);
		else
			buf_addf(&text, "%5s  ", name[i]);
	end_with(p, BOLD, text.data, false);
}

size_t page_names(const struct page *p)
{
	_cleanup_buf_ struct buf text = { 0 };
	size_t cells;

	add_cells(p, &(struct tree_node){ 0 }, &text);
	cells = column_width(text.data) + strlen("C ");
	return cells < p->options->width ? p->options->width - cells : 0;
}

static const char *color_of(char kind)
{
	static const char *const color[128] = {
		[' '] = BOLD, ['C'] = "33", ['i'] = "36",   ['j'] = "36",
		['k'] = "31", ['.'] = DIM,  ['!'] = "1;35", ['R'] = "34",
	};

	return color[kind & 127] ?: "32"; /* other scripts */
}

void page_row(struct page *p, const struct tree_node *n, const char *guide)
{
	const char *label = intern_get(p->labels, n->name, NULL);
	const char mark[] = { *label, '\0' }, *color;

	put_cells(p, n);
	color = p->dim ? DIM : color_of(*label);
	add(p, *label == ' ' ? NULL : color, *label == '.' ? "·" : mark);
	add(p, NULL, " ");
	add(p, DIM, guide);
	end_with(p, color, label + 1, true);
}

void page_cut(struct page *p, const char *guide, u64 nodes, const u64 *under)
{
	_cleanup_buf_ struct buf text = { 0 };
	int left = p->options->width - page_names(p);
	double share = page_share(p, under);

	buf_addf(&text, "%*s%s… %llu more, %.1f %%", left, "", guide, nodes,
		 share);
	if (column_width(text.data) > p->options->width) {
		buf_reset(&text);
		buf_addf(&text, "%*s%s…%.1f %%", left, "", guide, share);
	}
	end_with(p, DIM, text.data, false);
}

void page_source(struct page *p, const struct tree_node *n, const char *text)
{
	put_cells(p, n);
	end_with(p, NULL, text, false);
}
