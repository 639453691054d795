/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* When files that no process needs any more are closed. */
#ifndef JPBPF_USER_SESSION_CLOSING_H
#define JPBPF_USER_SESSION_CLOSING_H

#include <jpbpf/types.h>

struct tracker;

/* Close files when it is time for that (modules_crowded(), modules_due()); now: ns. */
void closing_work(struct tracker *t, u64 now);

#endif
