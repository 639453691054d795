/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The perf events: the sources of samples, and dummy events that report executable
 * mappings.
 */
#ifndef JPBPF_USER_KERNEL_EVENTS_H
#define JPBPF_USER_KERNEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/source.h>
#include <jpbpf/types.h>

#include "user/target/maps.h"

struct engine;
struct engine_config;
struct walk_config;

/* From jpbpf/sources.def. */
struct source {
	const char *name, *help;
	enum source_level level;
	u32 type; /* of perf_event_open(2), like event */
	u64 event;
	bool each;	  /* each event is a sample; else a rate (Hz) */
	const char *unit; /* of a sample's value */
	const char *none; /* said when there was no sample */
};

/* Indexed by enum source_id. */
extern const struct source sources[SOURCE_COUNT];
/* The source of that name.  NULL: there is none. */
const struct source *source_find(const char *name);

/* Nanoseconds of CPU time that a sample of the source stands for at a frequency (Hz); 0:
 * each event is a sample. */
u64 source_interval(const struct source *source, unsigned frequency);
/* Those of the sources (bit per enum source_id) that are sampled at a frequency. */
u32 sources_timed(u32 set);

/* Set what the BPF programs know of the sources.  Each level that has one gets a walk slot
 * per CPU.  Returns the number of slots. */
u32 sources_set(struct walk_config *to, const struct engine_config *config,
		u32 cpus);

/* Start sampling on each CPU with the engine's program.  0 or -errno after
 * log_err(). */
int events_sample(struct engine *e, const struct engine_config *config);

/* An executable mapping, an exec, or a loss of such records. */
struct mapwatch_event {
	u64 time; /* ns, CLOCK_MONOTONIC */
	pid_t pid;
	bool lost;	/* records may be missing since; only time is set */
	bool exec;	/* all earlier mappings are gone; map is empty */
	struct map map; /* path is valid during the call only */
};

/* Reports executable mappings by the kernel's own records (MMAP2, COMM). */
struct mapwatch; /* opaque */

struct mapwatch *mapwatch_new(void); /* NULL with errno */
void mapwatch_free(struct mapwatch *m);
/* A descriptor to wait on for records, edge-triggered. */
int mapwatch_fd(const struct mapwatch *m);
/* Read the records CPU by CPU, those of one CPU in their order.  *lost grows by the
 * records that the kernel has reported as dropped.  Returns true when a ring was so
 * full that the kernel may have dropped some. */
bool mapwatch_read(struct mapwatch *m,
		   void (*fn)(void *ctx, const struct mapwatch_event *e),
		   void *ctx, u64 *lost);

#endif
