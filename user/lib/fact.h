/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Facts: what was found out about something, as a tree that can be printed for people
 * or for programs.
 *
 * A group holds facts with keys, a list holds facts without keys; every other fact is
 * one value.  Facts keep the order in which they were added.  Keys are words of this
 * program, lower case with "_"; texts may come from anywhere.
 *
 * 	struct fact *about = fact_new();
 * 	struct fact *part = fact_add_group(about, "part");
 *
 * 	fact_add_text(part, "name", "%s", name);
 * 	...
 * 	fact_free(about);
 */
#ifndef JPBPF_USER_LIB_FACT_H
#define JPBPF_USER_LIB_FACT_H

#include <stdbool.h>

#include <jpbpf/types.h>

enum fact_kind { FACT_GROUP, FACT_LIST, FACT_TEXT, FACT_NUMBER, FACT_TRUTH };

struct fact {
	enum fact_kind kind;
	char *key;		   /* NULL in a list, and for the root */
	char *text;		   /* FACT_TEXT */
	u64 number;		   /* FACT_NUMBER; FACT_TRUTH: 0 or 1 */
	struct fact *first, *last; /* FACT_GROUP, FACT_LIST */
	struct fact *next;	   /* in the same group or list */
};

/* A new root, which is a group.  The caller frees it. */
struct fact *fact_new(void);
void fact_free(struct fact *root);

/* Each of these adds a fact to a group or list, which owns it.  key is copied; it is
 * NULL in a list. */
struct fact *fact_add_group(struct fact *in, const char *key);
struct fact *fact_add_list(struct fact *in, const char *key);
void fact_add_text(struct fact *in, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void fact_add_number(struct fact *in, const char *key, u64 number);
void fact_add_truth(struct fact *in, const char *key, bool truth);

/* The fact of that key in a group, or NULL. */
const struct fact *fact_find(const struct fact *group, const char *key);

#endif
