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

#include "user/lib/buf.h"
#include "user/report/report.h"
#include "user/view/tree.h"

struct intern;

#define PAGE_LEAST 20 /* columns of the narrowest page */

struct page {
	FILE *out;
	const struct report_options *options;
	struct intern *labels;
	bool compares;	 /* two profiles: cells tell what has changed */
	bool under_only; /* In means nothing here */
	/* What is measured of the event, in nanoseconds, bytes, or what a program counts. */
	enum page_unit {
		PAGE_SAMPLES,
		PAGE_TIME,
		PAGE_BYTES,
		PAGE_COUNTS
	} unit;
	u64 total[TREE_SIDES], samples[TREE_SIDES];
	bool dim; /* this row */
	struct buf line;
	size_t used; /* columns of the line */
	int err;     /* 0 or -errno of writing */
};

/* A part of the heading; parts share a line where they fit.  NULL ends the heading. */
void page_part(struct page *p, const char *text);
/* The names of the columns. */
void page_columns(struct page *p);
void page_line(struct page *p, const char *text);
/* A tree or list under the names of its columns, the greatest first. */
void page_tree(struct page *p, const struct tree *t);
/* guide: drawn before the name, dim. */
void page_row(struct page *p, const struct tree_node *n, const char *guide);
/* So many nodes are left out. */
void page_cut(struct page *p, const char *guide, u64 nodes, const u64 *under);
/* The cells of a row, and a text that is cut at its end. */
void page_source(struct page *p, const struct tree_node *n, const char *text);
/* Columns that the page's names have. */
size_t page_names(const struct page *p);
/* A number in the page's unit. */
void page_number(const struct page *p, u64 number, struct buf *out);
/* Percent of the total; A's for both where they stay as they are. */
double page_percent(const struct page *p, const u64 *number, int side);
/* The same, on the side where it is more. */
double page_share(const struct page *p, const u64 *number);

#endif
