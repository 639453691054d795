/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which functions are chosen: patterns LANGUAGE:NAME on the names that profiles show.
 *
 *   tcl:::app::*  r:stats::optim  r:^fit  c:libfoo.so:bar
 *
 * A name is a glob (fnmatch(3)), or begins with ^ and is the beginning of names.  Native
 * functions are those of a library or program, whose file's name is a glob, too.
 */
#ifndef JPBPF_USER_TRACE_PATTERN_H
#define JPBPF_USER_TRACE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct pattern {
	u32 language; /* enum walker_id, or CALL_NATIVE */
	char *file;   /* of native functions; else NULL */
	char *name;
	char *id; /* what the functions are counted as; NULL: their own names */
	bool is_not; /* functions of that name are not chosen */
};

struct patterns {
	struct pattern *at;
	size_t n, capacity;
};

enum pattern_kind { PATTERN_CHOOSES, PATTERN_NOT, PATTERN_AS };

/* Add a pattern; that of PATTERN_AS begins with ID=.  0, or -EINVAL: it is none. */
int patterns_add(struct patterns *p, enum pattern_kind kind, const char *text);
void patterns_release(struct patterns *p);
/* The first pattern that chooses the name; NULL: none does.  file: of a native function. */
const struct pattern *patterns_find(const struct patterns *p, u32 language,
				    const char *file, const char *name);
/* Whether there are patterns of that language. */
bool patterns_have(const struct patterns *p, u32 language);
/* Whether there are patterns of native functions of a file of that name. */
bool patterns_have_file(const struct patterns *p, const char *file);
/* Whether it chooses functions of one name only. */
bool pattern_is_whole(const struct pattern *p);
/* "tcl", "r", "c" */
const char *pattern_language(u32 language);

#endif
