/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The processes being profiled, from first sight to exit.
 *
 * Samples are taken by the kernel side's process table, and the tracker fills that
 * table: it examines what a process maps, has the unwind tables built, lets the walkers
 * prove themselves, and then makes the entry ready.
 */
#ifndef JPBPF_USER_PROCESSES_TRACKER_H
#define JPBPF_USER_PROCESSES_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>

#include "user/processes/deferred.h"
#include "walkers/walker.h"

struct arena;
struct engine;
struct mapwatch_event;
struct module;
struct modules;
struct tracker; /* opaque */

enum track_mode {
	TRACK_LISTED,	    /* processes of tracker_add() and what they fork */
	TRACK_INTERPRETERS, /* every process with an interpreter in it */
	TRACK_ALL,	    /* every process */
};

/* Whose calls are followed. */
struct calls_sink {
	enum call_mode mode;
	void (*chosen)(void *ctx, pid_t pid, u32 walker,
		       struct walker_chosen *out);
	u32 walkers; /* bit per walker id */
	/* Native functions: fill in the places in a module of a process, in the order of
	 * attachment.
	 * Returns their number; NULL: there are none. */
	size_t (*native)(void *ctx, const struct walker_site *site, u32 file,
			 struct walker_call *call, size_t max);
	void *ctx;
};

struct tracker_config {
	struct engine *engine;
	struct modules *modules;
	struct arena *arena;
	const char *proc;
	enum track_mode mode;
	bool children; /* TRACK_LISTED: also children, and what is executed */
	bool errors, warnings,
		cxx;		 /* what raises errors is sampled: probes.c */
	struct calls_sink calls; /* whose calls are followed: call_probes.c */
	/* Whether the process is wanted, by what /proc says of it.  NULL: all are. */
	bool (*is_chosen)(void *ctx, pid_t pid);
	void *chosen_ctx;
	struct deferred_sink sink;
	struct walker_keep keep; /* what line numbers need; add NULL: no
				  * lines */
};

struct tracker *tracker_new(const struct tracker_config *config);
void tracker_free(struct tracker *t);

/* Profile this process.  0, -ESRCH, or -errno.  After -E2BIG (too many processes) and
 * -ENOSPC (no room for its mappings) it is profiled as soon as there is room. */
int tracker_add(struct tracker *t, pid_t pid);
/* Profile the program that this process, a waiting child of ours, will execute, but not
 * the child as it is.  0 or -errno. */
int tracker_expect(struct tracker *t, pid_t pid);
/* Examine every process there is (TRACK_LISTED: every child of a known one). */
void tracker_scan(struct tracker *t);
/* Take a notice of the kernel side. */
void tracker_notice(void *tracker, const struct notice *n);
/* Take an executable mapping or an exec.  Call it before any sample taken later is
 * given. */
void tracker_mapped(void *tracker, const struct mapwatch_event *e);
/* Take a sample that the kernel side has walked.  Returns false when code of the
 * publication that it was walked by had been replaced before: its stack is not known. */
bool tracker_sampled(struct tracker *t, const struct sample *s);
/* Take a malloc'ed sample of len bytes to be walked later. */
void tracker_deferred(void *tracker, struct sample *s, size_t len);
/* Notices have been lost: examine every process again. */
void tracker_recheck(struct tracker *t);
/* Do what has become due, after all records have been read: further looks, proofs of
 * walkers that were not ready, walks of deferred samples.  Returns the milliseconds
 * until there is more to do, or -1. */
int tracker_work(struct tracker *t);
/* No sample comes any more: settle all deferred ones. */
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
	size_t processes;   /* known processes, wanted or not */
	size_t wanted;	    /* of these, those that are or may be wanted */
	size_t deferred;    /* deferred samples */
	size_t most_bytes;  /* of deferred samples, at the worst moment */
	u64 looks;	    /* at what a process maps */
	u64 discarded;	    /* samples of processes not wanted */
	size_t programs;    /* with samples, when all is done */
	struct tracker_program top[TRACKER_TOP]; /* those with most samples */
};
/* What recordings say of a process: its program and script, and its cgroup; "" where that
 * is not known.  Valid until the process leaves. */
void tracker_describe(void *tracker, pid_t pid, const char **program,
		      const char **cgroup);
/* Call fn with each process that is profiled and has code.  is_ready: it has an entry. */
void tracker_each(const struct tracker *t,
		  void (*fn)(void *ctx, pid_t pid, bool is_ready), void *ctx);
struct tracker_sum tracker_sum(const struct tracker *t);

#endif
