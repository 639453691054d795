/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Labels: what a report calls frames and tasks.  Frames with the same kind and text have
 * the same label, whatever else is different; so have those of two profiles.
 *
 * Kinds are told by text_kind()'s character, and by a blank for what is not a frame.
 */
#ifndef JPBPF_USER_REPORT_LABEL_H
#define JPBPF_USER_REPORT_LABEL_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct intern;
struct profile;
struct profile_stack;

enum label_by {
	LABEL_FUNCTION,
	LABEL_WHOLE, /* function and place; all of one kind */
	LABEL_SPACE, /* package, namespace */
	LABEL_LINE,
	LABEL_MODULE,
};

struct labels {
	struct intern *of; /* the kind's character, then the text */
};

/* The label of each frame id; the caller frees the array. */
u32 *label_frames(struct labels *l, const struct profile *p, enum label_by by);
u32 label_add(struct labels *l, char kind, const char *text);
/* The command, and the ids that tasks are told apart by. */
u32 label_command(struct labels *l, const struct profile *p,
		  const struct profile_stack *s);
u32 label_task(struct labels *l, const struct profile *p,
	       const struct profile_stack *s, bool thread);
/* Valid as long as the labels. */
char label_kind(const struct labels *l, u32 id);
const char *label_text(const struct labels *l, u32 id);

#endif
