/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The records of the rings: what each is, and who is given it.
 *
 * This is where a record's length and shape are checked; whoever is given one need not.
 */
#ifndef JPBPF_USER_INTAKE_RECORD_H
#define JPBPF_USER_INTAKE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>

#include "user/kernel/events.h"

/* Who is given what; NULL: nobody. */
struct record_sink {
	void (*sample)(void *ctx, const struct sample *s);
	/* One that is to be walked later, and its length. */
	void (*deferred)(void *ctx, const struct sample *s, size_t len);
	void (*text)(void *ctx, const struct text *t);
	void (*notice)(void *ctx, const struct notice *n);
	void (*mapped)(void *ctx, const struct mapwatch_event *e);
	void *ctx;
};

/* In the queue only, beside enum record_type. */
#define RECORD_MAPPED 256u

struct record_mapped {
	u32 type;
	struct mapwatch_event event;
	char path[]; /* the event's */
};

/* enum record_type, or RECORD_MAPPED; 0: it is too short to say. */
u32 record_type(const void *record, size_t len);
/* ns; 0: it has no time of its own. */
u64 record_time(const void *record, size_t len);
/* Give it to whom it concerns.  false: it makes no sense. */
bool record_give(const void *record, size_t len,
		 const struct record_sink *sink);

#endif
