/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One rule, as the parser makes and the profile meets it. */
#ifndef JPBPF_USER_RULES_RULE_H
#define JPBPF_USER_RULES_RULE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "user/lib/buf.h"

enum rule_verb {
	RULE_HIDE,
	RULE_KEEP,
	RULE_STOP,
	RULE_RENAME,
	RULE_COLLAPSE,
	RULE_JOIN,
	RULE_MERGE,
	RULE_SUBCOMMAND,
};

struct pattern {
	char *text;	/* as a shell has it */
	regex_t *regex; /* or this */
};

struct rule {
	enum rule_verb verb;
	int kind; /* text_kind(); 's': scripts are meant by their walker; 0: any */
	struct pattern *name;
	size_t names;
	struct pattern in; /* both NULL: anywhere */
	char *to;	   /* rename, join */
};

struct rules {
	struct rule *at;
	size_t n, capacity;
	struct buf text; /* of all rules */
};

bool pattern_fits(const struct pattern *p, const char *text);
/* Append the rules of a text, which path names in messages.  0 or -EINVAL after
 * log_err(), with no rule added. */
int rule_parse(struct rules *r, const char *text, const char *path);
void rule_free(struct rule *r);

#endif
