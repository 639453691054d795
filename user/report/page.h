/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A page of text for a terminal: cells of numbers, the kind's mark, and the name, which
 * is cut in the middle where it is too long.  No line has more columns than the page.
 *
 * What is below the threshold is summed in a line of its own.  In a tree, a function
 * whose only caller on the page runs little else stays at its caller's indentation,
 * behind a thin mark; behind "+N" stands one that is N levels too deep to indent.
 */
#ifndef JPBPF_USER_REPORT_PAGE_H
#define JPBPF_USER_REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "user/lib/buf.h"
#include "user/report/measure.h"
#include "user/view/tree.h"

struct flat;
struct labels;

#define PAGE_LEAST 20 /* columns of the narrowest page */

struct page {
	FILE *out;
	unsigned width;
	bool color;
	bool under_only; /* In means nothing here */
	double least;	 /* percent */
	unsigned depth;	 /* of trees; 0: no limit */
	const struct labels *labels;
	struct measure measure;
	u64 total[TREE_SIDES];
	/* Append the cells of a row; NULL: Under and In of side 0, with percentages. */
	void (*cells)(const struct page *p, const u64 *in, const u64 *under,
		      struct buf *out);
	/* With cells: the names of these columns, and whether a row says nothing. */
	const char *columns;
	bool (*noise)(const struct page *p, const u64 *under);
	bool dim;     /* this row */
	bool changes; /* flat: the greatest change first */
	struct buf line;
	size_t used; /* columns of the line */
	int err;
};

/* A part of the heading; parts share a line where they fit.  NULL ends the heading. */
void page_part(struct page *p, const char *text);
/* The names of the columns. */
void page_columns(struct page *p);
void page_line(struct page *p, const char *text);
void page_tree(struct page *p, const struct tree *t);
void page_flat(struct page *p, const struct flat *f);
/* Cells and nothing else, for a line that is completed by page_rest(). */
void page_cells(struct page *p, const u64 *in, const u64 *under);
/* Cut at its end, and the line is written. */
void page_rest(struct page *p, const char *text);
/* Percent of the total, on the side where it is more. */
double page_share(const struct page *p, const u64 *number);
/* 0 or -errno; the page's memory is freed. */
int page_end(struct page *p);

#endif
