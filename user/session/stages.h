/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The parts of a run, from the kernel side to the recorder, and what is done with them: a
 * file for each group of functions here.
 */
#ifndef JPBPF_USER_SESSION_STAGES_H
#define JPBPF_USER_SESSION_STAGES_H

#include <jpbpf/status.h>
#include <jpbpf/types.h>

#include "user/lib/buf.h"
#include "user/profile/recorder.h"
#include "user/session/command.h"
#include "user/session/outfile.h"
#include "user/session/session.h"
#include "user/processes/tracker.h"
#include "user/trace/trace.h"

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

struct dump {
	struct dump_entry *entry; /* a thread each, sorted by pid and tid */
	size_t n, capacity;
	size_t missing; /* threads and processes that lack a stack */
};

struct control {
	int fd;	      /* -1: none */
	bool is_ours; /* the FIFO was made here, and is removed at the end */
	struct buf line;
};

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
	u64 next_duty;	 /* ns: when calls_duty() is due; 0: never */
	bool off_duty;	 /* calls are not followed now */
	u32 max_files;
	u64 lost_seen; /* records and notices lost at the last check */
	bool skips;    /* it has been said that samples are skipped */
	bool refused;  /* by the kernel: loading, attaching or sampling */
	bool failed;   /* no memory to go on; the profile is written */
	int epoll;
	struct outfile out;
	struct reel reel;
	struct control control;
	struct dump dump;
	struct trace *trace; /* of calls; NULL: none is followed */
	u64 unchosen; /* stacks of calls of functions that are not chosen */
	struct trace_table calls; /* what was counted of them */
};

/* Make all parts.  0 or -errno after log_err(). */
int stages_open(struct session *s);
/* Release the parts that were made. */
void stages_close(struct session *s);

/* The processes, the threads and the command that the user has named: chosen.c. */
/* Hand the named ones to the tracker, or what runs on this host when none is named.
 * The command waits for command_start().  log_info() tells how many of the named hold
 * no interpreter; they are profiled, too.  0; -ESRCH when none of them can be profiled,
 * after log_err() for each; or another -errno.  s->refused becomes true when one of them
 * is of a kind that is not supported. */
int chosen_add(struct session *s);
/* Whether --comm, --uid and -G choose the process, by what /proc says now.
 * session_config: a const struct session_config. */
bool chosen_is(void *session_config, pid_t pid);
/* Whether everything that the user has named has ended. */
bool chosen_ended(struct session *s);

/* The recording: reel.c. */
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

/* Words that come by a FIFO: control.c. */
/* 0 or -errno after log_err(). */
int control_open(struct session *s);
/* Do what has come. */
void control_take(struct session *s);
void control_release(struct session *s);

/* One stack of each thread: dump.c. */
/* Take them and hand them to the recorder; with --watch again and again.  0 or -errno after log_err(). */
int dump_run(struct session *s);
/* Take a sample.  It replaces an earlier one of its thread that was not whole. */
void dump_sample(struct session *s, const struct sample *sample);
/* Write them for people, or as JSON.  0 or -errno. */
int dump_put(struct session *s);
void dump_release(struct session *s);

/* Calls of chosen functions: calls.c. */
void calls_begin(struct session *s);
struct calls_sink calls_sink(struct session *s);
/* Take a RECORD_CALL. */
void calls_take(void *session, const struct sample *sample);
/* All records are there: read what was counted, and hand the stacks to the recorder where a
 * format or a recording wants them. */
void calls_end(struct session *s);
/* Follow calls from now on if they were not, or no more (--duty). */
void calls_duty(struct session *s, u64 now);
/* Write what was counted until now. */
void calls_snapshot(struct session *s);
/* Write the table, or JSON.  0 or -errno. */
int calls_put(struct session *s);
/* Whether calls are all that is followed. */
bool calls_only(const struct session *s);
void calls_summary(const struct session *s);
void calls_release(struct session *s);

/* Whether there are as many errors as were asked for (--first): session.c. */
bool session_has_first(const struct session *s);
/* Make the profile of what was recorded: session.c.  0 or -errno after log_err(). */
int session_load(struct session *s);

/* The closing summary on standard error, what was taken, kept, lost and why: summary.c. */
void summary_print(const struct session *s);

#endif
