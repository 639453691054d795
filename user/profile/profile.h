/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The profile: named stacks, each with its number of samples and its value.  The
 * outputs read it.
 *
 * Two stacks are equal if their frames are equal as data and their keys are: the task
 * and the event.  A task has only those members that the view asks for (enum
 * profile_by).
 *
 * Outputs that show time also have the samples, one after the other (PROFILE_TIMES).
 *
 * A profile that has max_bytes takes no new stack from then on.  It counts those that it
 * has; each other counts under its key, with one frame that says that there was no room.
 */
#ifndef JPBPF_USER_PROFILE_PROFILE_H
#define JPBPF_USER_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/lib/frame.h"
#include "user/lib/intern.h"
#include "user/recording/recording.h"

enum profile_by {
	PROFILE_BY_PID = 1 << 0,
	PROFILE_BY_TID = 1 << 1,
	PROFILE_TIMES = 1 << 2, /* keep the samples */
};

/* Who ran. */
struct profile_task {
	u32 comm;     /* text id: the thread's command name */
	u32 pid, tid; /* 0: not told apart */
	u32 program; /* text id: the process's program and arguments; 0: not known */
};

struct profile_key {
	u32 task;  /* id in tasks */
	u32 event; /* number in event[] */
};

/* A function whose calls were followed. */
struct call_counts {
	const char *language; /* "tcl", "c" */
	const char *name;
	const char *id; /* the user's; without one: name */
	struct call_sums sums;
};

#define PROFILE_EVENTS 16

/* What samples are of. */
struct profile_event {
	u32 name, unit; /* text ids: "cpu-clock", of values: "nanoseconds" */
	/* Nanoseconds of CPU time that a sample stands for; 0: each event is a sample. */
	u64 interval;
};

struct profile_sample {
	u64 time; /* ns, CLOCK_MONOTONIC */
	u64 weight, value;
	u32 stack; /* id in stacks */
	u32 cpu;
};

/* Something that happened at a time, such as the start of a phase; or samples lost: a
 * reason and their number. */
struct profile_note {
	u64 time; /* ns, CLOCK_MONOTONIC */
	u32 text; /* text id */
	u64 count;
};

struct profile_notes {
	struct profile_note *at;
	size_t n, capacity;
};

/* texts: strings; frames: struct frame; tasks: struct profile_task, the first is of nobody;
 * stacks: struct profile_key, then frame ids. */
struct profile {
	struct intern *texts, *frames, *tasks, *stacks;
	struct profile_event event[PROFILE_EVENTS];
	u32 events;
	unsigned by;   /* enum profile_by */
	bool annotate; /* texts of scripts' frames end in _[t], _[r] */
	struct profile_sample *sample; /* with PROFILE_TIMES, sorted by time */
	size_t samples, capacity;
	struct profile_notes marks, losses;
	/* Of functions whose calls were followed, texts are the profile's. */
	struct call_counts *call;
	size_t calls, call_capacity;
	size_t max_bytes; /* of texts, frames, tasks and stacks; 0: no limit */
	u32 more_tasks;	  /* that had no room */
	u64 refused;	  /* weight of samples whose stack had no room */
	/* CLOCK_MONOTONIC (ns): when sampling began and ended; 0: not known. */
	u64 start, end;
	/* CLOCK_REALTIME (ns) at start; 0: not known. */
	u64 start_real;
	/* Text ids: the host's name, its kernel, and jpbpf's options; 0: not known. */
	u32 host, kernel, options;
};

struct profile_sum {
	/* Sums of the samples' weights (jpbpf/sample.h) and values. */
	u64 weight, value;
};

struct profile_stack {
	const struct profile_key *key;
	struct profile_sum sum;
	size_t depth;
	const u32 *frame; /* outermost first */
};

#define PROFILE_NONE INTERN_NONE

struct profile *profile_new(void);
void profile_free(struct profile *p);
/* The event's number; the same name has the same number.  The last one stands for all that
 * have no room. */
u32 profile_add_event(struct profile *p, const char *name, const char *unit,
		      u64 interval);
/* Count a stack.  Returns its id; where it has no room, that of one which says so. */
u32 profile_add(struct profile *p, const struct profile_key *key,
		const u32 *frame, size_t depth, const struct profile_sum *sum);
/* The id of a frame; PROFILE_NONE: it is new and has no room.  The text ids in f are the
 * profile's. */
u32 profile_add_frame(struct profile *p, const struct frame *f);
/* The same of a frame whose texts are in another store, in which the number of a text
 * becomes the profile's id + 1. */
u32 profile_take_frame(struct profile *p, struct intern *texts, struct frame f);
/* Without room it is the task of all others. */
u32 profile_add_task(struct profile *p, const struct profile_task *t);
/* A text of a task.  A full profile takes some more, then one text stands for all others. */
u32 profile_add_text(struct profile *p, const char *text);
/* The task of a command name alone. */
u32 profile_add_command(struct profile *p, const char *comm);
void profile_add_sample(struct profile *p, const struct profile_sample *s);
void profile_sort_samples(struct profile *p); /* by time */
void profile_add_note(struct profile_notes *notes,
		      const struct profile_note *n);
size_t profile_bytes(const struct profile *p); /* bytes of memory held */

/* The returned pointers are valid as long as the profile. */
const char *profile_text(const struct profile *p, u32 id);
const struct frame *profile_frame(const struct profile *p, u32 id);
const struct profile_task *profile_task(const struct profile *p, u32 id);
struct profile_stack profile_stack(struct profile *p, u32 i);

enum profile_module_part { PROFILE_NAME, PROFILE_BUILD_ID, PROFILE_PATH };

/* A part of a module's text (struct frame); "" where it is not known. */
const char *profile_module(const struct profile *p, u32 id,
			   enum profile_module_part part);
/* What a sum is in the unit of its event.  Time is that of the interval, which samples
 * stand for whatever their own value. */
u64 profile_value(const struct profile *p, u32 event,
		  const struct profile_sum *sum);

/* The command name of the thread that ran. */
static inline const char *profile_command(const struct profile *p,
					  const struct profile_stack *s)
{
	return profile_text(p, profile_task(p, s->key->task)->comm);
}

#endif
