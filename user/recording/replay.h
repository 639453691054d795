/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads a recording, plain or compressed by gzip.
 *
 * What is given to the sink refers to what the replay holds by then.  All ids that the
 * sink gets are sound: they are 0, where that is allowed, or of something that is there.
 */
#ifndef JPBPF_USER_RECORDING_REPLAY_H
#define JPBPF_USER_RECORDING_REPLAY_H

#include "user/lib/buf.h"
#include "user/recording/recording.h"

struct replay_sink {
	void (*sample)(void *ctx, const struct recording_sample *s);
	void (*note)(void *ctx, enum recording_kind kind,
		     const struct recording_note *n);
	/* NULL: they are passed over. */
	void (*calls)(void *ctx, const struct recording_calls *c);
	/* The ids that were given until now end here, or with the recording. */
	void (*forget)(void *ctx);
	void *ctx;
};

#define REPLAY_DEPTH_MAX (1u << 17)

/* How far a recording could be read. */
enum replay_end {
	REPLAY_WHOLE,
	REPLAY_CUT,    /* it ends in the middle, or has no summary */
	REPLAY_BROKEN, /* what follows at a place is damaged or no recording */
};

/* Something that is counted from 1; n: how many there are. */
#define REPLAY_LIST(type)           \
	struct {                    \
		type *at;           \
		size_t n, capacity; \
	}

struct replay {
	char *head[4]; /* version, host, kernel, options; NULL: not known */
	u64 monotonic, realtime; /* ns, of the same moment */
	u8 *walker; /* enum walker_id by the recording's number; 255: unknown here */
	size_t walkers;
	struct buf texts;
	REPLAY_LIST(size_t) text; /* where it begins in texts; a NUL ends it */
	REPLAY_LIST(struct recording_module) module;
	REPLAY_LIST(struct recording_function) function;
	REPLAY_LIST(struct frame) frame;
	REPLAY_LIST(struct recording_stack) stack;
	REPLAY_LIST(u32) depth; /* of each stack */
	REPLAY_LIST(struct recording_task) task;
	REPLAY_LIST(struct recording_event) event;
	/* As many as frames; function is 0 where no Address came.  The inlined functions
	 * are in inlined. */
	REPLAY_LIST(struct recording_address) address;
	REPLAY_LIST(struct recording_inlined) inlined;
	u64 time; /* of the last sample */
	struct recording_summary summary;
	bool has_summary;
	enum replay_end end;
	u64 samples;
	u64 read, lost; /* bytes; lost: after the place where it is broken */
	const char *path;
	void *file;
};

/* 0, or -errno after log_err().  path stays the caller's. */
int replay_open(struct replay *r, const char *path);
/* Read all of it.  0, or -errno after log_err(): it could not be read at all. */
int replay_run(struct replay *r, const struct replay_sink *sink);
/* Say by log_warn() what could not be read, if anything. */
void replay_tell(const struct replay *r);
void replay_close(struct replay *r);

const char *replay_text(const struct replay *r, u32 id); /* "" for 0 */

#endif
