/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One profiling run, from loading to the written result.
 *
 * Only the session knows all stages; the stages do the work.
 */
#ifndef JPBPF_USER_SESSION_SESSION_H
#define JPBPF_USER_SESSION_SESSION_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "user/kernel/engine.h"
#include "user/rules/rules.h"
#include "user/symbolize/symbolize.h"
#include "user/trace/pattern.h"

/* Exit statuses of the program. */
enum exit_status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3, /* not permitted or not supported here */
};

#define SESSION_MEMORY 256 /* --max-memory, MiB, when not given */

/* How many processes, and how many files with code, there can be at a time with so many
 * MiB of memory. */
static inline unsigned session_entries(unsigned memory)
{
	return memory * 64;
}

/* What is profiled, how, and where the result goes.  Each member's comment names the
 * option that sets it. */
struct session_config {
	struct engine_config
		engine;		  /* what is sampled; the session adds to it */
	struct view_options view; /* --internals, --lines, ... */
	pid_t *pid;		  /* -p; empty: every Tcl and R process */
	size_t pids;
	bool all;      /* -a: every process, not only Tcl and R */
	bool children; /* --children: with -p, all that they start */
	struct {
		regex_t *comm; /* --comm, of the process's name; NULL: any */
		uid_t *uid;    /* --uid, effective; none: any */
		size_t uids;
		char *cgroup; /* -G: this and those in it, "" is the first;
			       * NULL: any */
	} only;
	u64 duration;		   /* -d, ns; 0: until ^C or the targets end */
	const char *output;	   /* -o; NULL: standard output */
	const char *format;	   /* -f; of a dump NULL: for people, or JSON */
	struct rules *rules;	   /* --rules, and the built-in ones */
	struct rules_options show; /* --by, --annotate, --redact, --join */
	bool warnings;		   /* --warnings: of errors */
	bool cxx;	/* --cxx: exceptions of C++ are errors, too */
	unsigned first; /* --first: end after so many errors; 0: do not */
	bool dump; /* the verb dump: one stack of each thread, and the end */
	bool json; /* --json: of the dump */
	u64 watch; /* --watch, ns: a dump each; 0: one */
	struct patterns calls; /* the verb trace: of which functions */
	enum trace_view {      /* of the verb trace without format */
			  VIEW_TABLE,
			  VIEW_JSON,
			  VIEW_LIST, /* --list */
			  VIEW_LOG,
			  VIEW_CHROME,
	} trace_view; /* -f table, json, log, chrome */
	bool stacks;  /* --stacks: of each call, in a format */
	u64 duty[2]; /* --duty, ns: calls are followed, and are not; 0: always */
	bool wait;   /* --wait: functions may be called in another run */
	bool net;    /* --net: times of calls without what probes take */
	/* The verb record: what is sampled goes into a recording at output. */
	bool record;
	u64 rotate_bytes;    /* --rotate, or */
	u64 rotate_ns;	     /* a new file each; 0: never */
	unsigned keep;	     /* --keep, files; 0: all */
	u64 max_bytes;	     /* --max-size, of the recording; 0: no limit */
	const char *version; /* of jpbpf */
	char *told;	     /* the options as they were given */
	u64 delay;	     /* --delay, ns before sampling begins */
	const char *control; /* --control, path of the FIFO */
	unsigned max_memory; /* --max-memory, MiB */
	bool stats;	     /* --stats: full table of counters at the end */
	char **command;	     /* after --; NULL-terminated; NULL: none */
	bool again; /* another session may follow: privileges are kept */
};

/* What samples are told apart by (enum profile_by). */
unsigned session_by(const struct session_config *config);
/* Run the whole session.  Returns an exit status of the program. */
int session_run(const struct session_config *config);

#endif
