/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reports for people: the merged tree, lists, the callers and callees of a function, and
 * annotated source.  A report is of a profile, or of two that are compared, A → B.
 *
 * In is what a function did itself, Under that and all beneath it.  A stack counts once
 * Under a function that is on it several times.
 */
#ifndef JPBPF_USER_REPORT_REPORT_H
#define JPBPF_USER_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jpbpf/types.h>

struct profile;

enum report_by {
	REPORT_TREE,
	REPORT_FUNCTION,
	REPORT_SPACE, /* package or namespace */
	REPORT_LINE,
	REPORT_MODULE,
	REPORT_PROCESS,
	REPORT_THREAD,
	REPORT_EVENT,
	/* No list: "a;b;c COUNT_OF_A COUNT_OF_B", as difffolded.pl writes and
	 * flamegraph.pl reads. */
	REPORT_FOLDED,
};

/* The names of all after the tree, in this order, and a NULL. */
extern const char *const report_lists[];

struct report_options {
	enum report_by by;
	const char *calls; /* the function whose callers and callees; or NULL */
	const char *source; /* the file to annotate; or NULL */
	double least;	    /* percent of the total that a row has, at least */
	unsigned depth;	    /* of the tree; 0: no limit */
	unsigned width;	    /* columns */
	bool color;
	u32 event;	  /* of A; the one of that name in B */
	bool counts_only; /* samples, even where their time is known */
	bool as_they_are; /* compared; else B's numbers are brought to A's total */
};

/* What a report to this stream should be: terminals have a width and colours. */
struct report_options report_defaults(FILE *out);
/* b: NULL, or compared with a: changes that chance may have made, |z| < 2, are grey and
 * have a "~".  0 or -errno.  -ENOENT: there is no such function or line, and a message
 * has said so; so it has where the source cannot be read. */
int report_print(struct profile *a, struct profile *b,
		 const struct report_options *options, FILE *out);

#endif
