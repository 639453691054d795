/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Turns raw stacks (stacks.h) into named stacks of the profile. */
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
	/* Limit of the profile; at the limit only stacks already in it count. */
	size_t max_bytes;
	/* Keys whose stacks had no room; naming_add() counts them. */
	u32 refusing;
};

/* Add all stacks (stacks.h) to the profile.  Returns the number of samples whose stack
 * had no room: the profile counts them under their key with one frame that says so. */
u64 naming_add(struct naming *n, struct intern *stacks, struct profile *p);

#endif
