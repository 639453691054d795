/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process that reads a file that somebody else has written, and says what is in the
 * file.
 *
 * libdw and libdwfl believe what a file says.  Whatever that makes them do (crash, loop,
 * or fill the memory) ends the process in the jail, not the profiler.  Files of
 * different owners have processes of their own, so that nobody's file can falsify what
 * is said of somebody else's.
 */
#ifndef JPBPF_USER_DEBUGINFO_JAIL_H
#define JPBPF_USER_DEBUGINFO_JAIL_H

#include <stddef.h>
#include <stdio.h>

#include <jpbpf/types.h>

struct buf;

#define JAIL_OUTPUT_MAX (256u << 20) /* bytes */

/* Runs in the jail, on a copy of the caller's memory, and writes to out. */
typedef void jail_work(void *ctx, FILE *out);

/* Do the work in a process of its own.  Of all descriptors only the n in keep stay open
 * there; -1 is none.  What the work writes is appended to out.  0; -ETIME: the work takes
 * too long; -EPIPE: the process has crashed, has no memory left, or writes more than
 * JAIL_OUTPUT_MAX, and out has what was written until then; or -errno. */
int jail_run(jail_work *work, void *ctx, const int *keep, size_t n,
	     u64 timeout_ms, struct buf *out);

#endif
