/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A process becomes ready: its mappings and its walkers' values go to the kernel side. */
#ifndef JPBPF_USER_PROCESSES_PUBLICATION_H
#define JPBPF_USER_PROCESSES_PUBLICATION_H

#include <jpbpf/sample.h>

struct maps;
struct process;
struct process_env;

/* Publish the process as ready with its mappings and
 * walkers, unless it is so already, and ask for the unwind tables that are missing
 * (samples meanwhile are deferred).  before: the entry, read before the maps; zeroes:
 * there was none.  0 or -errno (-ESRCH gone, -EAGAIN the program was replaced meanwhile:
 * a notice follows). */
int publication_make(const struct process_env *env, struct process *p,
		     const struct maps *maps,
		     const struct process_entry *before);

#endif
