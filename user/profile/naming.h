/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From raw stacks to those of the profile. */
#ifndef JPBPF_USER_PROFILE_NAMING_H
#define JPBPF_USER_PROFILE_NAMING_H

#include <stddef.h>

#include <jpbpf/types.h>

#include "user/symbolize/symbolize.h"

struct intern;
struct modules;
struct profile;
struct texts;

struct naming {
	const struct modules *modules;
	const struct texts *texts;
	struct symbolizer_view view;
	size_t max_bytes; /* of the profile: then only what is in it is counted */
	u32 refusing;	  /* keys whose stacks had no room; not the caller's */
};

/* Add all stacks (stacks.h) to the profile.  Of so many samples there was no room for the
 * stack: they are in it under its key and a frame that says so. */
u64 naming_add(struct naming *n, struct intern *stacks, struct profile *p);

#endif
