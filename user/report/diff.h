/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Two profiles compared, A → B: as folded stacks with two counts, and for people. */
#ifndef JPBPF_USER_REPORT_DIFF_H
#define JPBPF_USER_REPORT_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include <jpbpf/types.h>

struct profile;

struct diff_options {
	bool tree; /* else the list of functions, the greatest change first */
	/* The numbers as they are; else B's are brought to A's total. */
	bool as_they_are;
	double least;	/* percent that a row has in A or B, at least */
	unsigned depth; /* of the tree; 0: no limit */
	unsigned width; /* columns */
	bool color;
	u32 event; /* of A; the one of that name in B */
	bool counts_only;
};

/* These return 0 or -errno. */
/* "a;b;c COUNT_OF_A COUNT_OF_B", as difffolded.pl writes and flamegraph.pl reads. */
int diff_folded(struct profile *a, struct profile *b,
		const struct diff_options *options, FILE *out);
/* Changes that chance may have made, |z| < 2, are grey and have a "~". */
int diff_report(struct profile *a, struct profile *b,
		const struct diff_options *options, FILE *out);

#endif
