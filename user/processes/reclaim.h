/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* When what no process needs any more is given up: files, and what was told of mappings. */
#ifndef JPBPF_USER_PROCESSES_RECLAIM_H
#define JPBPF_USER_PROCESSES_RECLAIM_H

#include <jpbpf/types.h>

struct tracker;

/* Do so when it is time for that (modules_crowded(), modules_due(), map_history_crowded());
 * now: ns. */
void reclaim_work(struct tracker *t, u64 now);

#endif
