/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Samples that could not be walked when they were taken (RECORD_DEFERRED), until the
 * tables for them are there.
 */
#ifndef JPBPF_USER_PROCESSES_DEFERRED_H
#define JPBPF_USER_PROCESSES_DEFERRED_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>
#include <jpbpf/unwind.h>

struct modules;
struct map_history;

/* Where what comes of them goes. */
struct deferred_sink {
	/* The sample with the words and the status that it has now. */
	void (*take)(void *ctx, const struct sample *head, u32 status,
		     const u64 *word, u32 words);
	/* One more for a reason's counter. */
	void (*count)(void *ctx, u32 status);
	void *ctx;
};

struct deferred_item;

/* Those of one program in one process. */
struct deferred_list {
	struct deferred_item *first, *last;
	size_t n, bytes; /* of all */
	u64 newest;	 /* time of the last */
};

/* What is known of the process now. */
struct deferred_view {
	struct modules *modules;
	const struct map_history *history;
	const struct unwind_mapping *mapping; /* as published, by start */
	size_t mappings;
	u64 examined; /* ns: its mappings were read from then ... */
	u64 seen;     /* ... until then */
	bool ended;   /* nothing more will be learnt of it */
	bool last;    /* no table will be built any more */
};

/* Copies the sample. */
void deferred_add(struct deferred_list *b, const struct sample *s, size_t len);
/* ns: when the oldest was taken; all ones: there is none. */
u64 deferred_oldest(const struct deferred_list *b);
/* Give to the sink every sample that can be walked now; ask for the tables that
 * are missing for others.  Do some wait until the mappings are read anew? */
bool deferred_walk(struct deferred_list *b, const struct deferred_view *view,
		   const struct deferred_sink *sink);
void deferred_release(struct deferred_list *b);

#endif
