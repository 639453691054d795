/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What has been sampled so far: raw stacks, texts, the profile made of them, and the
 * counts of all. */
#ifndef JPBPF_USER_PROFILE_RECORDER_H
#define JPBPF_USER_PROFILE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>

#include "user/profile/naming.h"

struct intern;
struct modules;
struct profile;
struct tables;
struct texts;

struct recorder_config {
	const char *event, *unit; /* of the samples' values */
	const struct modules *modules;
	struct tables *tables;	     /* told of what is used; NULL: nobody is */
	struct symbolizer_view view; /* how stacks are shown */
	unsigned frequency;	     /* samples per second of CPU time */
	unsigned by;		     /* enum profile_by */
	size_t max_bytes;	     /* of profile and texts together, about */
};

struct recorder {
	struct recorder_config config;
	struct intern *stacks;	 /* those that have no names yet */
	struct profile *profile; /* all others */
	struct texts *texts;
	struct naming naming;
	size_t scripts_bytes; /* of the texts, those of recorder_keep(), about */
	u64 samples;	      /* received */
	u64 first_sample;     /* ns, CLOCK_MONOTONIC; 0: none yet */
	u64 record_bytes;     /* of all samples */
	u64 kept;      /* of the samples, those that came to be walked later */
	u64 namings;   /* times that stacks were given names */
	u64 naming_ns; /* spent on that */
	/* To be added to what the kernel side has counted; a sample that was counted
	 * there under a status that turned out wrong is taken off here. */
	u64 status[WALK_STATUS_COUNT];
};

void recorder_init(struct recorder *r, const struct recorder_config *config);
void recorder_release(struct recorder *r);
/* A sample that was walked. */
void recorder_take(struct recorder *r, const struct sample *s);
/* The same, by mappings that are no longer so: its user part is nobody's. */
void recorder_take_replaced(struct recorder *r, const struct sample *s);
void recorder_take_text(struct recorder *r, const struct text *t);

/* Keep a text that is not the kernel side's (struct walker_keep): an eighth of max_bytes
 * is for them. */
bool recorder_keep(void *recorder, u64 id, const char *text, size_t len);

/* What has become of a deferred sample (struct deferred_sink). */
void recorder_take_late(void *recorder, const struct sample *head, u32 status,
			const u64 *word, u32 words);
void recorder_count(void *recorder, u32 status);

/* Give names to all stacks that have none.  No module is needed for them after. */
void recorder_name(void *recorder);
size_t recorder_bytes(const struct recorder *r); /* memory held, about */

#endif
