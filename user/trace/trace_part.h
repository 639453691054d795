/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the files of the trace share. */
#ifndef JPBPF_USER_TRACE_TRACE_PART_H
#define JPBPF_USER_TRACE_TRACE_PART_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "user/lib/buf.h"
#include "user/lib/hash.h"
#include "user/lib/intern.h"
#include "user/trace/trace.h"

#define MAX_WORDS 16 /* of a function's frame */

struct function {
	u32 id, language;
	pid_t pid;
	char comm[COMM_LEN];	       /* of its process */
	u32 name;		       /* in names */
	const struct pattern *pattern; /* NULL: it is not chosen */
	u32 words;
	u64 word[MAX_WORDS]; /* the frame */
	UT_hash_handle hh;
};

struct trace {
	const struct patterns *patterns;
	struct engine *engine;
	struct intern *texts, *names;
	struct intern *native;	    /* file id and vaddr; number 0: name + 1 */
	struct function *functions; /* by id */
	struct trace_file *files;   /* by key */
	FILE *out; /* what each call is written to; NULL: none is */
	enum trace_log as;
	u64 first; /* ns: the first that was told began; 0: none */
	struct intern
		*lanes; /* of Chrome's events: pid and lane that have a name */
	bool failed;
};

/* trace_native.c */
void trace_files_free(struct trace *t);

/* NULL: it is not chosen. */
struct function *trace_function(const struct trace *t, u32 id);

/* Write one call. */
void trace_tell(struct trace *t, const struct sample *s);
/* What the frames of a record from word i on say that are no frames; false: nothing. */
bool trace_detail(struct trace *t, u32 language, const struct sample *s,
		  struct buf *text);
/* "return", "error" ... */
const char *trace_left(u32 left);

#endif
