/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kinds of records, and the functions that receive each kind.
 *
 * record_give() checks a record's length and shape; receivers need not.
 */
#ifndef JPBPF_USER_INTAKE_RECORD_H
#define JPBPF_USER_INTAKE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>

#include "user/kernel/events.h"

/* Receivers. */
struct record_sink {
	void (*sample)(void *ctx, const struct sample *s);
	/* Takes a RECORD_CALL; NULL: there are none. */
	void (*call)(void *ctx, const struct sample *s);
	/* Takes a sample to be walked later, malloc'ed.  len: bytes of the record. */
	void (*deferred)(void *processes, struct sample *s, size_t len);
	void (*notice)(void *processes, const struct notice *n);
	void (*mapped)(void *processes, const struct mapwatch_event *e);
	void (*text)(void *texts, const struct text *t);
	void *ctx, *processes, *texts;
};

/* A type of the queue only, beside enum record_type. */
#define RECORD_MAPPED 256u

struct record_mapped {
	u32 type;
	struct mapwatch_event event;
	char path[]; /* event.map.path */
};

/* enum record_type or RECORD_MAPPED; 0: the record is too short for a type. */
u32 record_type(const void *record, size_t len);
/* ns; 0: the record has no time of its own. */
u64 record_time(const void *record, size_t len);
/* Give the malloc'ed record to its receiver, and free it.  Returns false for a
 * malformed record. */
bool record_give(void *record, size_t len, const struct record_sink *sink);

#endif
