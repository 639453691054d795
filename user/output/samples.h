/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The samples of a profile by thread.
 *
 * A thread is a task with one event.  Those of the first event come first; of an event,
 * main threads, then those with more samples.  There is always a thread, even where
 * there are no samples.
 */
#ifndef JPBPF_USER_OUTPUT_SAMPLES_H
#define JPBPF_USER_OUTPUT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "user/profile/profile.h"

struct buf;

struct samples_thread {
	struct profile_key key;
	struct profile_sample *at; /* in the order of time */
	size_t n;
	u64 weight;
};

struct samples {
	struct samples_thread *thread;
	size_t n;
	struct profile_sample *all;
};

/* A profile without samples (PROFILE_TIMES) gets one for each stack, with all of its
 * weight and no time.  Whether it had some. */
bool samples_fill(struct profile *p);
void samples_make(struct samples *s, struct profile *p);
void samples_release(struct samples *s);
/* A sample's value in the unit of the event. */
u64 samples_value(struct profile *p, const struct profile_sample *s);
/* Append the thread's name: the command, and where there are several events, which. */
void samples_name(const struct profile *p, const struct samples_thread *t,
		  struct buf *out);

#endif
