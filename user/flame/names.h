/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the nodes of the page's trees are called: JSON, interned, so that what reads the
 * same is the same, also where it comes from two profiles.
 *
 *   ["text","kind","space","module's path","file",line]   a frame
 *   ["command"," ","program","",pid,tid]                  a task
 */
#ifndef JPBPF_USER_FLAME_NAMES_H
#define JPBPF_USER_FLAME_NAMES_H

#include <jpbpf/types.h>

struct intern;
struct profile;

/* The name of each of the profile's frames or tasks; the caller frees them. */
u32 *names_frames(struct intern *names, const struct profile *p);
u32 *names_tasks(struct intern *names, const struct profile *p);

#endif
