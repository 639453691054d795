/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The samples of a profile, one after the other and by thread.
 *
 * A profile that has none (PROFILE_TIMES) gives one for each stack, with all of its
 * weight and no time.
 *
 * A thread is a task with one event.  Those of the first event come first; of an event,
 * those of the process with the most samples; of a process, its main thread, then those
 * with more samples.  There is always a thread, even where there are no samples.
 */
#ifndef JPBPF_USER_OUTPUT_SAMPLES_H
#define JPBPF_USER_OUTPUT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "user/profile/profile.h"

struct buf;

struct samples_thread {
	u32 task, event;
	u64 process, weight; /* samples of the process, and its own */
	const struct profile_sample *at;
	size_t n;
};

struct samples {
	bool timed;
	u64 origin;		   /* ns: what times are counted from */
	struct profile_sample *at; /* by thread, each in the order of time */
	size_t n;
	struct samples_thread *thread;
	size_t threads;
};

/* The samples in the order of time; if not times, one for each stack.  The caller frees
 * the array if it is not the profile's own. */
struct profile_sample *samples_list(struct profile *p, bool times, size_t *n);
void samples_make(struct samples *s, struct profile *p, bool times);
void samples_release(struct samples *s);
/* A sample's value in the unit of the event. */
u64 samples_value(const struct profile *p, u32 event,
		  const struct profile_sample *s);
/* Append the thread's name: the command, and where there are several events, which. */
void samples_name(const struct profile *p, const struct samples_thread *t,
		  struct buf *out);

#endif
