/* SPDX-License-Identifier: BSD-2-Clause */
/* What qprof.c and its summary share. */
#ifndef JPBPF_LIB_QPROF_PART_H
#define JPBPF_LIB_QPROF_PART_H

#include <jpbpf-interp.h>
#include <qprof.h>

#define QPROF_LEAF_LOG 16
#define QPROF_LEAF     (1u << QPROF_LEAF_LOG)
#define QPROF_LEAVES   (1u << (32 - QPROF_LEAF_LOG))
#define QPROF_SHARDS   16

/* Wrong uses. */
enum wrong {
	WRONG_TIME,
	WRONG_METHOD,
	WRONG_STACK,
	WRONG_LINES,
	WRONG_BLOCK,
	WRONG_COUNT,
};

struct method {
	struct jpi_method m;   /* first: frames have its address */
	struct method *before; /* that had its id */
	/* The first is of all threads without one of their own. */
	unsigned long long calls[QPROF_SHARDS];
	unsigned long long counts;
	unsigned long long *hits; /* of each block, as many as lines */
};

struct qprof_state {
	int begun, runs;
	unsigned long long wrong[WRONG_COUNT];
};

extern struct qprof_state qprof;
extern struct method **qprof_table[QPROF_LEAVES];

static inline void qprof_wrong(enum wrong what)
{
	__sync_fetch_and_add(&qprof.wrong[what], 1);
}

/* Write the summary to the file; "-": to standard error. */
void qprof_summarize(const char *path);

#endif
