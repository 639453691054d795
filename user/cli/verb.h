/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The verbs: their names, what their help says, and what they do.  Each ends with an exit
 * status of the program. */
#ifndef JPBPF_USER_CLI_VERB_H
#define JPBPF_USER_CLI_VERB_H

#include "user/cli/options.h"

struct verb_help {
	const char *name; /* NULL: the verb that is not written */
	const char *args; /* what follows the options, as argp's args_doc */
	/* Before and behind the options, "\v" between. */
	const char *doc;
	bool formats, events, statuses; /* the tables to add */
};

extern const struct verb_help verbs[VERBS];

/* The verb of that name; VERB_RUN if there is none. */
enum verb verb_find(const char *name);
/* The text behind the options with the tables that this help has; the caller frees it. */
char *verb_tables(enum verb verb, const char *text);

/* report, convert and diff: read recordings. */
int reading_run(const struct options *o);

/* info: facts about a process, a file or this program, and the configuration embedded in
 * it, by TIP 59's words list and get. */
int info_run(const struct options *o);

/* maps: which module, function and line addresses of a process belong to. */
int maps_run(const struct options *o);

/*
 * check: what this host lacks for profiling, with a remedy for each.  The same tests run
 * silently before profiling; the first failure is the error that the user sees.
 */
/* Prints every test with its result and remedy to standard output. force: an unsafe
 * host is only a warning. Returns an exit status of the program. */
int check_report(bool force);
/* STATUS_DONE, or STATUS_REFUSED after one log_err() with the remedy. */
int check_quietly(bool force);

/* The upstream version of a kernel as KERNEL_VERSION() has it, from the most exact of
 * three texts; 0: not understood. release and version are as in uname(2). signature is
 * the text of /proc/version_signature (Ubuntu), or "". */
u32 check_release(const char *release, const char *version,
		  const char *signature);
/* Whether reading user memory from a perf event may freeze this kernel. */
bool check_may_freeze(u32 release);

#endif
