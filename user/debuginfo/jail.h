/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process that answers questions about a file that somebody else has written.
 *
 * libdw and libdwfl believe what a file says.  Whatever that makes them do (crash, loop,
 * or fill the memory) ends the process in the jail, not the profiler.
 */
#ifndef JPBPF_USER_DEBUGINFO_JAIL_H
#define JPBPF_USER_DEBUGINFO_JAIL_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct buf;

#define JAIL_ANSWER_MAX (64u << 10) /* bytes; what is longer is cut */
#define JAIL_KEEP	5	    /* descriptors, at most */

struct jail_question {
	u64 vaddr;
	u64 what;
};

/* Adds the answer; runs in the jail. */
typedef void jail_answer(void *ctx, const struct jail_question *q,
			 struct buf *out);

struct jail {
	pid_t pid; /* 0: none */
	int fd;
};

/* Start a process that answers until jail_end().  Of the descriptors only keep (-1: none)
 * stay open there.  0 or -errno. */
int jail_start(struct jail *j, const int keep[JAIL_KEEP], jail_answer *answer,
	       void *ctx);
/* Put the answer into out.  0, -ETIME: there is none in time; -EPIPE: the process has
 * ended. */
int jail_ask(const struct jail *j, const struct jail_question *q,
	     int timeout_ms, struct buf *out);
void jail_end(struct jail *j);

#endif
