/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The calls of chosen functions: which are chosen, and what was counted of them.
 *
 * The kernel side tells of each function when it is called first (RECORD_CALL).  The trace
 * names it, and answers whether it is chosen.  Of one that is not, nothing is kept.
 */
#ifndef JPBPF_USER_TRACE_TRACE_H
#define JPBPF_USER_TRACE_TRACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include <jpbpf/call.h>
#include <jpbpf/sample.h>

#include "user/trace/pattern.h"

struct buf;
struct call_counts;
struct engine;
struct intern;
struct trace; /* opaque */
struct walker_call;
struct walker_site;

/* patterns and texts (user/profile/texts.h) stay the caller's. */
struct trace *trace_new(const struct patterns *patterns, struct engine *engine,
			struct intern *texts);
void trace_free(struct trace *t);
/* Write each call that is told (enum call_log): as lines, or as trace events of Chrome.  out
 * stays the caller's. */
enum trace_log { TRACE_LOG, TRACE_CHROME };
void trace_write_to(struct trace *t, enum trace_log as, FILE *out);
/* All calls are told: write the end. */
void trace_write_end(struct trace *t);
/* Take a RECORD_CALL. */
void trace_take(struct trace *t, const struct sample *s);
/* Take the stack at a call (SOURCE_ENTERS), whose value is its function's id.  Returns a sample
 * of it, the trace's until the next one.  NULL: the function is not chosen. */
const struct sample *trace_entered(struct trace *t, const struct sample *head,
				   const u64 *word, u32 words);
/* Fill in the places of the native functions that are chosen in a module of a process; they
 * are known from then on.  Returns their number. */
size_t trace_places(void *trace, const struct walker_site *site, u32 file,
		    struct walker_call *call, size_t max);

struct walker_chosen;
/* What can be watched of a process: calls_sink.chosen(). */
void trace_watched(void *trace, pid_t pid, u32 walker,
		   struct walker_chosen *out);
/* The kernel side notes functions of such names when they are made. */
void trace_watch_names(struct trace *t);

/* One function, or all that are counted under one id. */
struct trace_function {
	u32 language;
	const char *name; /* the trace's */
	const char *id;	  /* NULL: none was given */
	bool stepped; /* of a native one: its begin is executed by single step */
	u64 calls, open;
	struct call_row row;
};

/* What the probes of one call take (ns); 0: not known. */
struct trace_price {
	u64 nothing; /* the probes do nothing */
	u64 other;   /* the function is not chosen */
	u64 chosen;
	u64 native;  /* also, its return is executed by single step */
	u64 stepped; /* so is its begin */
	u64 watched; /* it is watched; 0: none is */
};

struct trace_table {
	struct trace_function *function; /* by total time, the largest first */
	size_t n;
	struct call_lost lost;
	u64 unseen; /* calls that were left without an event */
	struct trace_price price;
};

/* Read what was counted until now. */
void trace_read(struct trace *t, struct trace_table *table);
/* Whether a function is known that is chosen. */
bool trace_chooses(const struct trace *t);
/* Names that are most like the patterns, of functions that are not chosen; nothing: there are
 * none. */
void trace_nearest(const struct trace *t, struct buf *out);
/* Take the price of the probes out of the times, as far as they were in chosen calls. */
void trace_make_net(struct trace_table *table);
void trace_table_release(struct trace_table *table);
/* Give a sample for each stack of chosen functions: its calls, and their own time in ns. */
void trace_samples(struct trace *t,
		   void (*take)(void *ctx, const struct sample *s), void *ctx);

/* Measure it on a function of this program; watches: of watchpoints, too. */
void price_measure(struct engine *e, bool watches, struct trace_price *out);

/* For each function of the table; the caller frees it.  Texts are the trace's. */
struct call_counts *trace_counts(const struct trace_table *table);
/* For people, and as JSON. */
void trace_put_table(const struct trace_table *table, FILE *out);
void trace_put_json(const struct trace_table *table, FILE *out);
/* The functions that are chosen and known, where calls of each are seen, and their price. */
void trace_put_list(const struct trace *t, const struct trace_price *price,
		    FILE *out);

#endif
