/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Makes a process ready: its mappings and its walkers' values go to the kernel side. */
#ifndef JPBPF_USER_PROCESSES_PUBLICATION_H
#define JPBPF_USER_PROCESSES_PUBLICATION_H

#include <jpbpf/sample.h>

struct maps;
struct process;
struct survey;
struct tracker;

/* Publish the process as ready with what the survey of its maps shows, unless that is already
 * published, and ask for the missing unwind tables (samples are deferred meanwhile).
 * before: the entry, read before the maps; zeroes: there was none.  0 or -errno: -ESRCH
 * the process has gone, -EAGAIN it began another program meanwhile (a notice follows),
 * -E2BIG or -ENOSPC no room. */
int publication_make(struct tracker *t, struct process *p,
		     const struct survey *s, const struct maps *maps,
		     const struct process_entry *before);

#endif
