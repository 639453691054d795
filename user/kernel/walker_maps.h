/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the walkers' kernel sides are given to know: of their languages, and of a process. */
#ifndef JPBPF_USER_KERNEL_WALKER_MAPS_H
#define JPBPF_USER_KERNEL_WALKER_MAPS_H

#include <sys/types.h>

struct engine;
struct walker;

/* Of the languages, once. */
void walker_keys_store(const struct engine *e);
/* Of a process; value: of w->process.value_size.  0, also when there is nothing to be
 * given, or -errno: -E2BIG, there is no room. */
int walker_entry_put(struct engine *e, const struct walker *w, pid_t pid,
		     const void *value);
void walker_entry_drop(struct engine *e, const struct walker *w, pid_t pid);

#endif
