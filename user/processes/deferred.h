/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Deferred samples (RECORD_DEFERRED).  They could not be walked when they were taken,
 * and wait until the tables for them are there.
 */
#ifndef JPBPF_USER_PROCESSES_DEFERRED_H
#define JPBPF_USER_PROCESSES_DEFERRED_H

#include <stddef.h>

#include <jpbpf/sample.h>

struct process;
struct tracker;

/* Receives the walked samples. */
struct deferred_sink {
	/* Takes the sample with its final status and words. */
	void (*take)(void *ctx, const struct sample *head, u32 status,
		     const u64 *word, u32 words);
	/* Adds one to the counter of a status. */
	void (*count)(void *ctx, u32 status);
	void *ctx;
};

/* The deferred samples of one program in one process. */
struct deferred_list {
	struct deferred_item *item; /* in the order of their times */
	size_t n, capacity;
	u64 newest; /* ns: latest time of a sample */
};

/* Takes the malloc'ed sample of len bytes. */
void deferred_add(struct tracker *t, struct process *p, struct sample *s,
		  size_t len);
/* ns: time of the oldest sample; all ones: there is none. */
u64 deferred_oldest(const struct deferred_list *b);
/* Give the sink every sample of the process that can be walked now, and ask for the
 * tables that are missing for the others.  The process becomes dirty when samples wait
 * until its mappings are read again, or first have an address in no mapping. */
void deferred_walk(struct tracker *t, struct process *p);
void deferred_release(struct tracker *t, struct process *p);

#endif
