/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A line is made in one buffer; the columns it has are counted beside it, since colours
 * and characters of several bytes take none. */
#include "user/report/page.h"

#include <string.h>

#include "user/report/column.h"
#include "user/output/format.h"
#include "user/report/label.h"
#include "user/report/page_row.h"

#define BOLD "1"
#define DIM  "2"

static void add(struct page *p, const char *color, const char *text)
{
	bool painted = p->color && color && *text;

	if (painted)
		buf_addf(&p->line, "\033[%sm", color);
	buf_adds(&p->line, text);
	if (painted)
		buf_adds(&p->line, "\033[0m");
	p->used += column_width(text);
}

static void add_cut(struct page *p, const char *color, const char *text,
		    bool middle)
{
	_cleanup_buf_ struct buf cut = { 0 };

	column_cut(text, p->used < p->width ? p->width - p->used : 0, middle,
		   &cut);
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

void page_part(struct page *p, const char *text)
{
	static const char between[] = " · ";
	size_t width = text ? column_width(text) : 0;

	if (p->used && (!text || p->used + strlen(" - ") + width > p->width))
		end_line(p);
	if (!text)
		return;
	if (p->used)
		add(p, DIM, between);
	add_cut(p, BOLD, text, true);
}

void page_line(struct page *p, const char *text)
{
	add_cut(p, NULL, text, true);
	end_line(p);
}

double page_share(const struct page *p, const u64 *number)
{
	double share[TREE_SIDES];

	for (int i = 0; i < TREE_SIDES; i++)
		share[i] = p->total[i] ? 100.0 * number[i] / p->total[i] : 0;
	return share[0] > share[1] ? share[0] : share[1];
}

/* Columns of the greatest value, or 0 where there is no room for values. */
static int value_width(const struct page *p)
{
	_cleanup_buf_ struct buf text = { 0 };

	if (p->width < 60)
		return 0;
	measure_format(&p->measure, p->total[0], &text);
	return text.len > strlen("Under") ? text.len : strlen("Under");
}

static void add_value(const struct page *p, u64 number, int width,
		      struct buf *out)
{
	_cleanup_buf_ struct buf text = { 0 };
	u64 sides[TREE_SIDES] = { number };

	measure_format(&p->measure, number, &text);
	if (width)
		buf_addf(out, "%*s ", width, buf_text(&text));
	buf_addf(out, "%5.1f  ", page_share(p, sides));
}

static void add_cells(const struct page *p, const u64 *in, const u64 *under,
		      struct buf *out)
{
	int width = value_width(p);

	add_value(p, *under, width, out);
	if (p->width >= 40 && !p->under_only)
		add_value(p, *in, width, out);
}

static void cells_of(const struct page *p, const u64 *in, const u64 *under,
		     struct buf *out)
{
	(p->cells ? p->cells : add_cells)(p, in, under, out);
}

void page_cells(struct page *p, const u64 *in, const u64 *under)
{
	_cleanup_buf_ struct buf text = { 0 };

	cells_of(p, in, under, &text);
	if (!*under && !p->cells)
		memset(text.data, ' ', text.len);
	p->dim = p->noise && p->noise(p, under);
	add(p, p->dim ? DIM : NULL, buf_text(&text));
}

void page_columns(struct page *p)
{
	static const char *const name[] = { "Under", "In" };
	_cleanup_buf_ struct buf text = { 0 };
	int width = value_width(p);

	if (p->cells)
		buf_adds(&text, p->columns);
	for (int i = 0; !p->cells && i < 1 + (p->width >= 40 && !p->under_only);
	     i++)
		if (width)
			buf_addf(&text, "%*s     %%  ", width, name[i]);
		else
			buf_addf(&text, "%5s  ", name[i]);
	add_cut(p, BOLD, text.data, false);
	end_line(p);
}

size_t page_names(const struct page *p)
{
	static const u64 none[TREE_SIDES];
	_cleanup_buf_ struct buf text = { 0 };
	size_t cells;

	cells_of(p, none, none, &text);
	cells = column_width(buf_text(&text)) + strlen("C ");
	return cells < p->width ? p->width - cells : 0;
}

static const char *color_of(char kind)
{
	switch (kind) {
	case ' ':
		return BOLD;
	case 'C':
		return "33";
	case 'i':
	case 'j':
		return "36";
	case 'k':
		return "31";
	case '.':
		return DIM;
	case '!':
		return "1;35";
	case 'R':
		return "34";
	default: /* scripts */
		return "32";
	}
}

void page_row(struct page *p, u32 label, const char *guide)
{
	char kind = label_kind(p->labels, label);
	const char mark[] = { kind, '\0' };
	const char *color = p->dim ? DIM : color_of(kind);

	add(p, kind == ' ' ? NULL : color, kind == '.' ? "·" : mark);
	add(p, NULL, " ");
	add(p, DIM, guide);
	add_cut(p, color, label_text(p->labels, label), true);
	end_line(p);
}

void page_cut(struct page *p, const char *guide, u64 rows, const u64 *under)
{
	_cleanup_buf_ struct buf text = { 0 };
	size_t left = p->width - page_names(p);

	buf_addf(&text, "%*s%s… %llu more, %.1f %%", (int)left, "", guide, rows,
		 page_share(p, under));
	if (column_width(text.data) > p->width) {
		buf_reset(&text);
		buf_addf(&text, "%*s%s…%.1f %%", (int)left, "", guide,
			 page_share(p, under));
	}
	add_cut(p, DIM, text.data, false);
	end_line(p);
}

void page_rest(struct page *p, const char *text)
{
	add_cut(p, NULL, text, false);
	end_line(p);
}

int page_end(struct page *p)
{
	buf_release(&p->line);
	return p->err;
}
