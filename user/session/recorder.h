/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What has been sampled so far: raw stacks, texts, and the counts of both. */
#ifndef JPBPF_USER_SESSION_RECORDER_H
#define JPBPF_USER_SESSION_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jpbpf/sample.h>

struct modules;
struct stacks;
struct tables;
struct texts;
struct format;

struct recorder {
	struct stacks *stacks;
	struct texts *texts;
	struct tables *tables; /* told of what is used; NULL: nobody is */
	u64 samples;	       /* received */
	u64 bad;	       /* records that make no sense: none, ever */
	u64 first_sample;      /* ns, CLOCK_MONOTONIC; 0: none yet */
	u64 record_bytes;      /* of all samples */
	u64 kept; /* of the samples, those that came to be walked later */
	/* Counted here and not on the kernel side: what became of those. */
	u64 status[WALK_STATUS_COUNT];
	void (*on_notice)(void *ctx, const struct notice *n);
	/* A sample to be walked later, see user/session/backlog.h. */
	void (*on_kept)(void *ctx, const struct sample *s, size_t len);
	void *ctx;
};

void recorder_init(struct recorder *r);
void recorder_release(struct recorder *r);
/* One record of the ring buffer. */
void recorder_take(void *recorder, const void *record, size_t len);

/* What has become of a sample that was kept (struct backlog_sink). */
void recorder_take_late(void *recorder, const struct sample *head, u32 status,
			const u64 *word, u32 words);
void recorder_count(void *recorder, u32 status);

/* How stacks are shown; see struct symbolizer_config. */
struct recorder_view {
	bool internals, lines, inlines, expr, lexical;
	unsigned frequency; /* samples per second of CPU time */
	const struct format *format;
};

/* Name every stack and write them all. 0 or -errno. */
int recorder_write(const struct recorder *r, const struct modules *ms,
		   const struct recorder_view *view, FILE *out);

#endif
