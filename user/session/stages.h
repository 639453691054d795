/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The parts of a run, from the kernel side to the recorder. */
#ifndef JPBPF_USER_SESSION_STAGES_H
#define JPBPF_USER_SESSION_STAGES_H

#include <stdbool.h>

#include <jpbpf/types.h>

#include "user/profile/recorder.h"
#include "user/session/command.h"
#include "user/session/control.h"
#include "user/session/outfile.h"
#include "user/session/reel.h"

struct session {
	const struct session_config *config;
	struct engine *engine;
	struct reader *reader;
	struct arena *arena;
	int arena_fd;
	struct tables *tables;
	struct modules *modules;
	struct tracker *tracker;
	struct mapwatch *mapwatch;
	struct recorder recorder;
	struct profile *profile; /* of the recording, when all is sampled */
	struct command command;
	u64 started;	 /* ns */
	u64 begin, end;	 /* ns: of sampling; end 0: none is set */
	u64 next_second; /* ns: when work_of_a_second() is due */
	u64 next_turn;	 /* ns: when reel_turn() is due */
	u32 max_files;
	u64 lost_seen; /* records and notices lost at the last check */
	bool skips;    /* it has been said that samples are skipped */
	bool refused;  /* by the kernel: loading, attaching or sampling */
	bool failed;   /* no memory to go on; the profile is written */
	int epoll;
	struct outfile out;
	struct reel reel;
	struct control control;
};

/* Make all parts.  0 or -errno after log_err(). */
int stages_open(struct session *s);
/* Release the parts that were made. */
void stages_close(struct session *s);

#endif
