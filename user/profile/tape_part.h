/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the files of the tape share. */
#ifndef JPBPF_USER_PROFILE_TAPE_PART_H
#define JPBPF_USER_PROFILE_TAPE_PART_H

#include "user/lib/frame.h"
#include "user/profile/tape.h"

#define SOURCES 64

struct tape_event {
	const char *name, *unit;
	u64 interval;
};

struct logged {
	struct recording_sample s; /* stack: number of the raw stack */
	/* What is not told apart is 0. */
	u32 pid, tid;
	u32 program, cgroup; /* in tape.texts */
	char comm[COMM_LEN];
	u32 samples;
};

/* A frame that waits for its name. */
struct unnamed {
	struct frame raw;
	u32 frame; /* id in the recording */
};

/* A function that was named: other addresses in it need no look into its file. */
struct named {
	u64 start, end; /* as native words (jpbpf/frame.h) */
	u32 function;	/* id in the recording */
};

struct tape {
	struct tape_config config;
	struct writer *writer;
	struct intern *stacks;		  /* words; number: stack id + 1 */
	struct intern *texts;		  /* number: the recording's id + 1 */
	struct tape_event event[SOURCES]; /* by source */
	struct logged *log;
	size_t logs, log_capacity;
	size_t placed; /* of them, their stacks are ids of the recording */
	struct intern *logged; /* without times; number: place in log + 1 */
	struct unnamed *unnamed;
	size_t unnameds, unnamed_capacity;
	struct named *named; /* by start */
	size_t nameds, named_capacity;
	struct kernel *kernel; /* its symbols are read once */
	u32 frames;	       /* ids until now */
	u64 begun, next_names; /* ns */
};

/* The recording's id of a text of the store. */
u32 tape_put_text(struct tape *t, struct intern *texts, u32 id);
/* The recording's id of a live module: file id + 1. */
u32 tape_put_module(struct tape *t, u32 module);
/* The frame is new: write what is known of its function, or let it wait. */
void tape_add_frame(struct tape *t, const struct frame *raw, u32 id);
/* Write what is known of the frames that wait. */
void tape_put_names(struct tape *t);

#endif
