/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Gives up what no process needs any more: files, and events of map histories. */
#ifndef JPBPF_USER_PROCESSES_RECLAIM_H
#define JPBPF_USER_PROCESSES_RECLAIM_H

#include <jpbpf/types.h>

struct tracker;

/* Do so when it is due (modules_may_retire()).  now: ns. */
void reclaim_work(struct tracker *t, u64 now);

#endif
