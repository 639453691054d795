/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process that answers questions about files that somebody else has written.
 *
 * libdw and libdwfl believe what a file says.  Whatever that makes them do (crash, loop,
 * or fill the memory) ends the process in the jail, not the profiler.
 */
#ifndef JPBPF_USER_DEBUGINFO_JAIL_H
#define JPBPF_USER_DEBUGINFO_JAIL_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "user/debuginfo/files.h"

struct buf;

#define JAIL_ANSWER_MAX (64u << 10) /* bytes; what is longer is cut */
#define JAIL_NAME_MAX	256

struct jail_question {
	u64 vaddr;
	u32 what;
	u32 file; /* the asker's number of the file */
	/* The file's, with the first question about the file; else files.file is -1. */
	char name[JAIL_NAME_MAX];
	struct files files;
};

/* Adds the answer; runs in the jail.  The answerer owns the descriptors in q. */
typedef void jail_answer(void *ctx, const struct jail_question *q,
			 struct buf *out);

struct jail {
	pid_t pid; /* 0: none */
	int fd;
};

/* Start a process that answers until jail_end().  No descriptor stays open there.  0 or
 * -errno. */
int jail_start(struct jail *j, jail_answer *answer, void *ctx);
/* Put the answer into out.  The descriptors in q remain the caller's.  0, -ETIME: there
 * is none in time; -EPIPE: the process has ended. */
int jail_ask(const struct jail *j, const struct jail_question *q,
	     int timeout_ms, struct buf *out);
void jail_end(struct jail *j);

#endif
