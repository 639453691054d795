/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the command line says. */
#ifndef JPBPF_USER_CLI_OPTIONS_H
#define JPBPF_USER_CLI_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum verb { VERB_RECORD, VERB_CHECK, VERB_INFO };

/* Exit statuses of the program. */
enum exit_status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3, /* not permitted or not supported here */
};

struct source;

struct options {
	enum verb verb;
	pid_t *pid; /* -p; empty: every Tcl and R process */
	size_t pids;
	pid_t *tid; /* -t */
	size_t tids;
	int *cpu; /* -C; empty: all */
	size_t cpus;
	bool all;      /* -a: every process, not only Tcl and R */
	bool children; /* --children: with -p, all that they start */
	regex_t *comm; /* --comm, of the process's name; NULL: any */
	uid_t *uid;    /* --uid, effective; none: any */
	size_t uids;
	char *cgroup; /* -G: this and those in it, "" is the first; NULL: any */
	unsigned frequency; /* -F, Hz */
	double duration;    /* -d, seconds; 0: until ^C or the targets end */
	const char *output; /* -o; NULL: standard output */
	const char *format; /* -f; "folded" */
	const struct source *source; /* -e; cpu-clock */
	bool user_only;		     /* -U */
	bool kernel_only;	     /* -K */
	bool internals;		     /* --internals */
	bool lines;		     /* --lines */
	bool inlines;		     /* --inlines */
	bool addresses;		     /* --addresses */
	unsigned walker_options;     /* --NAME: bit per enum walker_option_id */
	bool helper_reads;	     /* --helper-reads */
	bool force;		     /* --force */
	unsigned max_tables;	     /* --max-tables, MiB */
	unsigned max_processes;	     /* --max-processes */
	unsigned max_files;	     /* --max-files */
	unsigned max_profile;	     /* --max-profile, MiB */
	bool stats; /* --stats: full table of counters at the end */
	bool quiet, verbose;
	bool json;	   /* --json, for info */
	const char **word; /* after the verb info, in their order */
	size_t words, word_capacity;
	char **command; /* after --; NULL-terminated; NULL: none */
};

/* Parses and checks; prints the error and the remedy itself.
 * 0, or the exit status + 1 (so that --help gives STATUS_DONE + 1). */
int options_parse(struct options *o, int argc, char **argv);
void options_release(struct options *o);

#endif
