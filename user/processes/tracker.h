/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The processes being profiled, from first sight to exit.
 *
 * The kernel side's process table is the truth that samples are taken by; the
 * tracker fills it: it looks at what a process maps, has the tables built, lets
 * the walkers prove themselves, and then makes the entry ready.
 */
#ifndef JPBPF_USER_PROCESSES_TRACKER_H
#define JPBPF_USER_PROCESSES_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>

#include "walkers/walker.h"

struct arena;
struct deferred_sink;
struct engine;
struct mapwatch_event;
struct modules;
struct tracker; /* opaque */

enum track_mode {
	TRACK_LISTED,	    /* tracker_add(), and what those fork */
	TRACK_INTERPRETERS, /* every process with an interpreter in it */
	TRACK_ALL,	    /* every process */
};

struct tracker_config {
	struct engine *engine;
	struct modules *modules;
	struct arena *arena;
	const char *proc;
	enum track_mode mode;
	bool children; /* TRACK_LISTED: what they started, and execute, too */
	/* Is the process wanted, by what /proc says of it?  NULL: all are. */
	bool (*is_chosen)(void *ctx, pid_t pid);
	void *chosen_ctx;
	const struct deferred_sink *sink;
	struct walker_keep keep; /* what lines need; add is NULL: nothing */
	/* Give all stacks that were counted names: files are to be closed.  ctx: the
	 * sink's. */
	void (*name)(void *ctx);
};

struct tracker *tracker_new(const struct tracker_config *config);
void tracker_free(struct tracker *t);

/* Profile this process. 0, -ESRCH, or -errno; after -E2BIG (too many processes) and
 * -ENOSPC (no room for its mappings) as soon as there is room. */
int tracker_add(struct tracker *t, pid_t pid);
/* Profile the program that this process, a child of ours that waits, will
 * execute; not the child as it is. 0 or -errno. */
int tracker_expect(struct tracker *t, pid_t pid);
/* Look at every process there is (TRACK_LISTED: at every child of one that is known). */
void tracker_scan(struct tracker *t);
/* What the kernel told. */
void tracker_notice(struct tracker *t, const struct notice *n);
/* Something was mapped executable, or a program replaced another.  It is told before all
 * samples that were taken later. */
void tracker_mapped(struct tracker *t, const struct mapwatch_event *e);
/* The kernel side told that something is about to be mapped where something else was
 * published. */
void tracker_gone(struct tracker *t, const struct notice *n);
/* A sample that was walked by the kernel side. */
void tracker_sampled(struct tracker *t, const struct sample *s);
/* Was something replaced at the same address before this sample was taken, and not yet
 * published? Then its stack is not known. */
bool tracker_is_replaced(const struct tracker *t, const struct sample *s);
/* A sample to be walked later. */
void tracker_deferred(struct tracker *t, const struct sample *s, size_t len);
/* Notices have been lost: look at every process again. */
void tracker_recheck(struct tracker *t);
/* Do what has become due, all records having been read: re-examinations,
 * attachment of walkers that were not ready, walks of deferred samples.
 * Milliseconds until there is more to do, or -1. */
int tracker_work(struct tracker *t);
/* No sample comes any more: settle all that are deferred. */
void tracker_finish(struct tracker *t);

#define TRACKER_TOP 10

/* One program in one process. */
struct tracker_program {
	pid_t pid;
	u64 samples;
	char *command;
};

struct tracker_sum {
	size_t live;	    /* processes being profiled now */
	size_t seen;	    /* since the start */
	size_t with[8];	    /* of those seen, per walker id */
	size_t native_only; /* of those seen, without any interpreter */
	size_t processes;   /* processes known of, wanted or not */
	size_t wanted;	    /* of these, those that are, or may become so */
	size_t deferred;    /* samples that wait */
	size_t most_bytes;  /* of waiting samples, at the worst moment */
	u64 looks;	    /* at what a process maps */
	u64 discarded;	 /* samples of processes that turned out not wanted */
	size_t programs; /* with samples, when all is done ... */
	struct tracker_program top[TRACKER_TOP]; /* ... those with most */
};
struct tracker_sum tracker_sum(const struct tracker *t);

#endif
