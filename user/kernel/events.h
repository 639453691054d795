/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The perf events: one that samples on every CPU, and one that tells of files
 * mapped executable.
 */
#ifndef JPBPF_USER_KERNEL_EVENTS_H
#define JPBPF_USER_KERNEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "user/target/maps.h"

struct engine;
struct source;

struct events_config {
	const struct source *source;
	unsigned frequency; /* Hz, unless every event is a sample */
	const int *cpu;	    /* only these; none: every CPU online */
	size_t cpus;
};

/* Start sampling on each CPU through the engine's program. Number of CPUs, or
 * -errno after log_err(). */
int events_sample(struct engine *e, const struct events_config *config);

/* Something has been mapped executable, or a program has replaced another. */
struct mapwatch_event {
	u64 time; /* ns, CLOCK_MONOTONIC */
	pid_t pid;
	bool lost; /* from then on some may not have been told; no more is set */
	bool exec;	/* all that was mapped before has gone; map is empty */
	struct map map; /* path is valid during the call only */
	u64 generation; /* of the inode */
};

/* Tells of executable mappings, by the kernel's own records (MMAP2, COMM). */
struct mapwatch; /* opaque */

struct mapwatch *mapwatch_new(void); /* NULL with errno */
void mapwatch_free(struct mapwatch *m);
/* Add its descriptors to an epoll instance, edge-triggered. */
int mapwatch_watch(struct mapwatch *m, int epoll_fd);
/* Read what has come, by CPU; of one CPU in its order.  lost counts records that
 * the kernel dropped, so far as it has told.  true: one of the rings was so full that it
 * may have dropped some. */
bool mapwatch_read(struct mapwatch *m,
		   void (*fn)(void *ctx, const struct mapwatch_event *e),
		   void *ctx, u64 *lost);

#endif
