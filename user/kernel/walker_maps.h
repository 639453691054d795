/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Gives the walkers' kernel sides the keys of their languages and their values of a
 * process. */
#ifndef JPBPF_USER_KERNEL_WALKER_MAPS_H
#define JPBPF_USER_KERNEL_WALKER_MAPS_H

#include <sys/types.h>

struct engine;
struct walker;

/* Store the keys of all languages, once per run. */
void walker_keys_store(const struct engine *e);
/* Store a walker's value of a process; value has w->process.value_size bytes.  0, also
 * when the walker has no such map, or -errno (-E2BIG: no room). */
int walker_entry_put(struct engine *e, const struct walker *w, pid_t pid,
		     const void *value);
void walker_entry_drop(struct engine *e, const struct walker *w, pid_t pid);

#endif
