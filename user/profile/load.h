/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Makes a profile of recordings: several files become one profile. */
#ifndef JPBPF_USER_PROFILE_LOAD_H
#define JPBPF_USER_PROFILE_LOAD_H

#include <jpbpf/types.h>

#include "user/symbolize/view.h"

struct profile;

struct load_config {
	struct view_options view;
	unsigned by; /* enum profile_by */
	/* Samples of these times only (ns since the start of the recording); until 0: to the
	 * end. */
	u64 since, until;
};

/* Add the recording at that path to the profile.  What cannot be read is said by
 * log_warn().  0, or -errno after log_err(): nothing was added. */
int load_recording(struct profile *p, const char *path,
		   const struct load_config *config);

#endif
