/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes samples into a recording while they are taken.
 *
 * Samples wait for tape_flush(), which the session calls twice a second.  Names of
 * functions follow later: reading files costs milliseconds, so it is done no more often
 * than a small share of the time allows.
 *
 * Where nobody asks for times (PROFILE_TIMES), samples and names wait for the end.  Equal
 * samples are one then, with their sum.
 */
#ifndef JPBPF_USER_PROFILE_TAPE_H
#define JPBPF_USER_PROFILE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/sample.h>

#include "user/profile/profile.h"
#include "user/recording/recording.h"
#include "user/symbolize/view.h"

struct intern;
struct modules;
struct tape; /* opaque */

struct tape_config {
	const struct modules *modules;
	struct intern *texts; /* texts.h: those that frames refer to */
	struct view_options view;
	unsigned by; /* enum profile_by: what samples are told apart by */
	bool one_event;
	/* Tells of a sampled process what is known; called with each sample. */
	void (*describe)(void *ctx, pid_t pid, const char **program,
			 const char **cgroup);
	void *ctx;
	/* Bytes that ids and samples that wait may take before they are all forgotten. */
	size_t max_bytes;
};

/* fd stays the caller's. */
struct tape *tape_new(int fd, const struct recording_head *head,
		      const struct tape_config *config);
void tape_free(struct tape *t);
/* Samples of this source are of that event.  The recording has the events in the order of
 * these calls. */
void tape_event(struct tape *t, u32 source, const char *name, const char *unit,
		u64 interval);
/* Take a sample; word and words replace the sample's own. */
void tape_take(struct tape *t, const struct sample *s, const u64 *word,
	       u32 words);
/* Take the sample's count as the value of an event of its own, if the output has room for
 * one (tape_config). */
void tape_take_count(struct tape *t, const struct sample *s, const u64 *word,
		     u32 words);
/* Write what was taken, in the order of time.  Names are written when it is time for
 * them (now: ns), or when last is true.  0, or -errno: the recording has ended, and samples that
 * are not in it stay in the log. */
int tape_flush(struct tape *t, u64 now, bool last);
u64 tape_written(const struct tape *t);	 /* bytes of the file until now */
size_t tape_bytes(const struct tape *t); /* bytes of memory held */
/* The modules are about to be closed: name what is in them. */
void tape_name(struct tape *t);
/* At time (ns), something was said: RECORDING_MARK, or lost: RECORDING_LOSS. */
void tape_note(struct tape *t, enum recording_kind kind, u64 time,
	       const char *text, u64 count);
/* What was counted of calls until the end. */
void tape_calls(struct tape *t, const struct call_counts *c);
/* The last of a recording.  0, or -errno as tape_flush(). */
int tape_end(struct tape *t, const struct recording_summary *s);

#endif
