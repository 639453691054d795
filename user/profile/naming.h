/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From raw stacks to those of the profile. */
#ifndef JPBPF_USER_PROFILE_NAMING_H
#define JPBPF_USER_PROFILE_NAMING_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/profile/unnamed.h"
#include "user/symbolize/symbolize.h"

struct modules;
struct profile;
struct stacks;
struct texts;

struct naming {
	const struct modules *modules;
	const struct texts *texts;
	struct symbolizer_view view;
	size_t max_bytes; /* of the profile: then only what is in it is counted */
	struct unnamed unnamed; /* what was counted; unnamed_release() */
	u32 refusing; /* commands whose stacks had no room; not the caller's */
};

/* Add all stacks to the profile.  Of so many samples there was no room for the stack:
 * they are in it under their command and a frame that says so. */
u64 naming_add(struct naming *n, const struct stacks *stacks,
	       struct profile *p);

#endif
