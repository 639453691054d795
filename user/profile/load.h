/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Makes a profile of recordings: several files become one profile. */
#ifndef JPBPF_USER_PROFILE_LOAD_H
#define JPBPF_USER_PROFILE_LOAD_H

#include <regex.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/symbolize/view.h"

struct profile;

/* Which samples, and how their stacks are shown.  The option of each member is in its
 * comment; what is NULL or 0 chooses all. */
struct load_config {
	struct view_options view;
	unsigned by; /* enum profile_by */
	/* Samples of these times only: ns since the start of the recording. */
	u64 since, until; /* --since, --until */
	int *pid;	  /* -p */
	size_t pids;
	const char *thread;  /* --thread, its id or its name */
	regex_t *comm;	     /* --comm, of the thread's name */
	const char *event;   /* --event, its name */
	const char *cgroup;  /* --cgroup: this and those in it */
	const char *symbols; /* --symbols, the folder; NULL: none */
	const char *phase;   /* --phase: from this mark to the next */
};

/* Add the recording at that path to the profile.  What cannot be read is said by
 * log_warn().  0, or -errno after log_err(): nothing was added. */
int load_recording(struct profile *p, const char *path,
		   const struct load_config *config);

#endif
