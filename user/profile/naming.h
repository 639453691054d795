/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Turns raw stacks (stacks.h) into named stacks of the profile. */
#ifndef JPBPF_USER_PROFILE_NAMING_H
#define JPBPF_USER_PROFILE_NAMING_H

struct recorder;

/* Add all raw stacks to the profile.  Profile and texts take at most max_bytes.  A sample
 * whose stack has no room is counted as HOST_STACKS, and in the profile under its key with
 * one frame that says so. */
void naming_add(struct recorder *r);

#endif
