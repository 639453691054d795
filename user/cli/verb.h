/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The verbs: their names and what their help says. */
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

#endif
