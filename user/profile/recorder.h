/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Takes what the kernel side has sampled: samples go to the tape (tape.h), texts are kept,
 * and all is counted. */
#ifndef JPBPF_USER_PROFILE_RECORDER_H
#define JPBPF_USER_PROFILE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>
#include <jpbpf/source.h>

struct intern;
struct tables;
struct tape;

struct recorder_config {
	/* Told which tables samples use; NULL: none is told. */
	struct tables *tables;
	/* Approximate limit of profile and texts together. */
	size_t max_bytes;
};

struct recorder {
	struct recorder_config config;
	struct intern *texts; /* texts.h */
	struct tape *tape;    /* NULL: samples are counted only */
	bool tape_is_full;    /* samples are lost */
	/* Approximate bytes of the texts from recorder_keep(). */
	size_t scripts_bytes;
	u64 samples;	      /* samples received */
	u64 of[SOURCE_COUNT]; /* by source: how many of them */
	u64 weight;	      /* sum of their weights */
	u64 first_sample;     /* ns, CLOCK_MONOTONIC; 0: none yet */
	u64 record_bytes;     /* bytes of all samples */
	u64 kept;	      /* deferred samples that were walked later */
	/* Counts by enum walk_status, to be added to the kernel side's.  A sample that
	 * the kernel side counted under a status that proved wrong is subtracted here
	 * (modulo 2^64). */
	u64 status[WALK_STATUS_COUNT];
};

void recorder_init(struct recorder *r, const struct recorder_config *config);
void recorder_release(struct recorder *r);
/* Takes a sample that the kernel side has walked. */
void recorder_take(struct recorder *r, const struct sample *s);
/* Takes a sample walked by mappings that were replaced: its user frames are dropped. */
void recorder_take_replaced(struct recorder *r, const struct sample *s);
void recorder_take_text(void *recorder, const struct text *t);

/* Keep a text that user space has read (struct walker_keep).  All such texts may take
 * an eighth of max_bytes.  False if there is no room. */
bool recorder_keep(void *recorder, u64 id, const char *text, size_t len);

/* Take the result of a deferred sample (struct deferred_sink). */
void recorder_take_late(void *recorder, const struct sample *head, u32 status,
			const u64 *word, u32 words);
void recorder_count(void *recorder, u32 status);

/* The recording has ended: samples from now on, and those that it lacks, are lost. */
void recorder_end(struct recorder *r);

/* Name what was sampled.  Naming reads the modules; afterwards they are not needed for
 * that any more. */
void recorder_name(void *recorder);
/* Approximate bytes of memory held. */
size_t recorder_bytes(const struct recorder *r);

#endif
