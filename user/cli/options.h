/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The settings from the command line. */
#ifndef JPBPF_USER_CLI_OPTIONS_H
#define JPBPF_USER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/profile/load.h"
#include "user/report/report.h"
#include "user/session/session.h"

enum verb {
	VERB_RUN, /* none was given */
	VERB_RECORD,
	VERB_DUMP,
	VERB_ERRORS,
	VERB_TRACE,
	VERB_REPORT,
	VERB_CONVERT,
	VERB_DIFF,
	VERB_MAPS,
	VERB_CHECK,
	VERB_INFO,
	VERBS,
};

struct options {
	enum verb verb;
	struct session_config run;
	bool force; /* --force */
	bool quiet, verbose;
	/* Of recordings: which samples, and how they are reported. */
	struct load_config load;
	struct report_options report;
	bool as_they_are; /* --as-they-are, for diff */
	bool no_pager;	  /* --no-pager */
	bool no_rules;	  /* --no-rules */
	bool print_rules; /* --print-rules */
	char **word;	  /* words after the verb, in order */
	size_t words;
};

/* Parses and checks; prints the error and the remedy itself.
 * 0, or the exit status + 1 (so that --help gives STATUS_DONE + 1). */
int options_parse(struct options *o, int argc, char **argv);
void options_release(struct options *o);

/* Ends an answer, help or facts, on standard output: checks that all was written.
 * STATUS_DONE, or STATUS_FAILED after log_err(). */
int answer_end(void);

#endif
