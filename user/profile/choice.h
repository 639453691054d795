/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which samples of a recording are taken (struct load_config). */
#ifndef JPBPF_USER_PROFILE_CHOICE_H
#define JPBPF_USER_PROFILE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/recording/recording.h"

struct load_config;
struct replay;

struct choice {
	const struct load_config *config;
	const struct replay *replay;
	u8 *task; /* by id - 1: 0 not asked yet, 1 taken, 2 not */
	size_t tasks;
	struct {
		u64 time; /* ns */
		bool is_wanted;
	} * mark; /* by time */
	size_t marks, capacity;
	bool found; /* a mark of the phase was there */
};

/* Marks come before the samples that are later than they. */
void choice_mark(struct choice *c, const struct recording_note *mark);
bool choice_takes(struct choice *c, const struct recording_sample *s);
/* The ids of tasks begin anew. */
void choice_forget(struct choice *c);
void choice_release(struct choice *c);

#endif
