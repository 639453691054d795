/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Deferred samples (RECORD_DEFERRED).  They could not be walked when they were taken,
 * and wait until the tables for them are there.
 */
#ifndef JPBPF_USER_PROCESSES_DEFERRED_H
#define JPBPF_USER_PROCESSES_DEFERRED_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

struct modules;
struct map_history;

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
	size_t bytes; /* of all, as recorded */
	u64 weight;   /* of all samples */
	u64 newest;   /* ns: latest time of a sample */
	bool strays;  /* an address was in no mapping when it was looked for */
};

/* What is known of the process at the time of the walk. */
struct deferred_view {
	struct modules *modules;
	const struct map_history *history;
	const struct unwind_mapping *mapping; /* as published, by start */
	size_t mappings;
	u64 examined; /* ns: when reading its mappings began */
	u64 seen;     /* ns: when reading its mappings ended */
	bool ended;   /* nothing more will be learnt of it */
	bool last;    /* no table will be built any more */
	bool late;    /* because it takes too long, not for want of room */
};

/* Takes the malloc'ed sample of len bytes. */
void deferred_add(struct deferred_list *b, struct sample *s, size_t len);
/* ns: time of the oldest sample; all ones: there is none. */
u64 deferred_oldest(const struct deferred_list *b);
/* Give the sink every sample that can be walked now, and ask for the tables that are
 * missing for the others.  Returns true when samples wait until the process's mappings
 * are read again. */
bool deferred_walk(struct deferred_list *b, const struct deferred_view *view,
		   const struct deferred_sink *sink);
void deferred_release(struct deferred_list *b);

#endif
