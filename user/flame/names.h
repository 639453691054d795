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

#include "user/view/side.h"

struct side names_side(struct intern *names, struct profile *p);

#endif
