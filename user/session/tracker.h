/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The processes being profiled, from first sight to exit.
 *
 * The kernel side's process table is the truth that samples are taken by; the
 * tracker fills it: it looks at what a process maps, has the tables built, lets
 * the walkers prove themselves, and then makes the entry ready.
 */
#ifndef JPBPF_USER_SESSION_TRACKER_H
#define JPBPF_USER_SESSION_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>

struct arena;
struct texts;
struct engine;
struct modules;
struct tracker; /* opaque */

enum track_mode {
	TRACK_LISTED,	    /* tracker_add(), and what those start */
	TRACK_INTERPRETERS, /* every process with an interpreter in it */
	TRACK_ALL,	    /* every process */
};

struct tracker *tracker_new(struct engine *e, struct modules *ms,
			    struct arena *a, const char *proc,
			    enum track_mode mode);
void tracker_free(struct tracker *t);
/* Lines are wanted: put there what walkers need to say of a process for them. */
void tracker_keep_texts(struct tracker *t, struct texts *texts);

/* Profile this process. 0, -ESRCH, or -errno. */
int tracker_add(struct tracker *t, pid_t pid);
/* Profile the program that this process, a child of ours that waits, will
 * execute; not the child as it is. 0 or -errno. */
int tracker_expect(struct tracker *t, pid_t pid);
/* Look at every process there is (unless TRACK_LISTED). */
void tracker_scan(struct tracker *t);
/* What the kernel told. */
void tracker_notice(struct tracker *t, const struct notice *n);
/* A process has mapped a file executable: look at it again. */
void tracker_mapped(struct tracker *t, pid_t pid);
/* Do what has become due: re-examinations, attachment of walkers that were not
 * ready. Milliseconds until there is more to do, or -1. */
int tracker_work(struct tracker *t);

struct tracker_sum {
	size_t live;	    /* processes being profiled now */
	size_t seen;	    /* since the start */
	size_t with[8];	    /* of those seen, per walker id */
	size_t native_only; /* of those seen, without any interpreter */
	u64 discarded; /* samples of processes that turned out not wanted */
};
struct tracker_sum tracker_sum(const struct tracker *t);

#endif
