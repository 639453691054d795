/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the files of the report share. */
#ifndef JPBPF_USER_REPORT_REPORT_PART_H
#define JPBPF_USER_REPORT_REPORT_PART_H

#include "user/report/page.h"
#include "user/view/side.h"

struct report {
	struct side side[TREE_SIDES]; /* A, B; without a profile: only A */
	struct tree tree;	      /* of their stacks, not yet built */
	struct page page;
};

/* These return 0 or -errno. */
int report_calls(struct report *r);
int report_source(struct report *r);
/* Each line of the source is a name: its number; 0: another file's. */
u32 *report_lines(const struct profile *p, const char *source);

/*
 * Labels: what a report calls frames, tasks and events.  Frames with the same kind and
 * text have the same label, whatever else is different; so have those of two profiles.
 * A label is text_kind()'s character, or a blank for what is no frame, then the text.
 */
struct side label_side(struct intern *labels, struct profile *p,
		       enum report_by by);

#endif
