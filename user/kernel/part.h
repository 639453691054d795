/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A walker's part of a process: what its kernel side was given to know of it.
 */
#ifndef JPBPF_USER_KERNEL_PART_H
#define JPBPF_USER_KERNEL_PART_H

#include <sys/types.h>

struct engine;
struct walker;

/* value: of w->process.value_size.  0, also when there is nothing to be given, or
 * -errno: -E2BIG, there is no room. */
int part_put(struct engine *e, const struct walker *w, pid_t pid,
	     const void *value);
void part_drop(struct engine *e, const struct walker *w, pid_t pid);

#endif
