/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the files of the report share. */
#ifndef JPBPF_USER_REPORT_REPORT_PART_H
#define JPBPF_USER_REPORT_REPORT_PART_H

#include "user/report/label.h"
#include "user/report/page.h"

struct profile;
struct report_options;

struct report {
	struct profile *profile;
	const struct report_options *options;
	unsigned by; /* enum report_by; the tree for callers and source */
	struct labels labels;
	u32 *frames; /* label by frame id */
	struct page page;
	u32 *path; /* the labels of a stack */
	size_t depth, capacity;
};

/* The stack's labels into path; false: it is of another event.  *number is what is
 * measured. */
bool report_path(struct report *r, u32 stack, u64 *number);
int report_calls(struct report *r);
int report_source(struct report *r);

#endif
