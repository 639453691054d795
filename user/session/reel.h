/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The recording of a session: the files that it goes into, one after the other.
 *
 * Each file is a whole recording.  What a file held before stays until sampling begins.
 * With --rotate the files are called run.000001.jpb, run.000002.jpb and so on, after the
 * highest number that is there already: none is written over.
 *
 * What ends the recording, a full disk or a size limit, does not end the run: that is
 * said once, and samples are counted and no longer written.
 */
#ifndef JPBPF_USER_SESSION_REEL_H
#define JPBPF_USER_SESSION_REEL_H

#include <stdbool.h>

#include <jpbpf/status.h>
#include <jpbpf/types.h>

struct session;

/* Twice a second, so what a kill takes is less than a second. */
#define REEL_NS 500000000ull

struct reel {
	int fd; /* -1: no recording */
	char *path; /* of the file; NULL: standard output, or a file without a name */
	int err;		     /* -errno: the recording has ended by it */
	u32 number;		     /* of the file, from 1 on */
	u64 began;		     /* ns: the file */
	u64 earlier;		     /* bytes in earlier files */
	u64 kept;		     /* samples in earlier files */
	u64 missed;		     /* samples lost during the file */
	u64 lost[WALK_STATUS_COUNT]; /* written as losses */
};

/* Open the first file, or one without a name of which the profile will be made.
 * 0 or -errno after log_err(). */
int reel_open(struct session *s);
/* From here on samples are written: the modules and texts are there.  0 or -errno after
 * log_err(). */
int reel_begin(struct session *s);
/* Whether files are made under way. */
bool reel_rotates(const struct session *s);
/* Write what was sampled since the last call.  Called each REEL_NS. */
void reel_turn(struct session *s, u64 now);
void reel_mark(struct session *s, const char *text);
/* Begin a new file now, where there are several (--rotate); else write what there is. */
void reel_snapshot(struct session *s);
/* All samples are there: write the end.  0, or -errno after log_err(): the recording is not
 * whole. */
int reel_end(struct session *s);
void reel_release(struct session *s);

#endif
