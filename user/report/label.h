/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Labels: what a report calls frames, tasks and events.  Frames with the same kind and
 * text have the same label, whatever else is different; so have those of two profiles.
 *
 * A label is text_kind()'s character, or a blank for what is no frame, then the text.
 */
#ifndef JPBPF_USER_REPORT_LABEL_H
#define JPBPF_USER_REPORT_LABEL_H

#include "user/report/report.h"
#include "user/view/side.h"

/* The names of the profile's stacks for this report. */
struct side label_side(struct intern *labels, struct profile *p,
		       enum report_by by);

#endif
