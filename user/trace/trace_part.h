/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the files of the trace share. */
#ifndef JPBPF_USER_TRACE_TRACE_PART_H
#define JPBPF_USER_TRACE_TRACE_PART_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "user/elf/module.h"
#include "user/lib/buf.h"
#include "user/lib/hash.h"
#include "user/lib/intern.h"
#include "user/trace/trace.h"

#define MAX_WORDS 16 /* of a function's frame */

struct function {
	u32 id, language;
	u64 key; /* the first word of its key */
	pid_t pid;
	char comm[COMM_LEN]; /* of its process */
	u32 name;	     /* in names */
	u32 file;	     /* in names, of a native one: its module's */
	bool stepped; /* of a native one: also its begin is executed by single step */
	const struct pattern *pattern; /* NULL: it is not chosen */
	size_t row;		       /* in the table */
	u32 words;
	u64 word[MAX_WORDS]; /* the frame */
	UT_hash_handle hh;
};

/* A native function that is chosen. */
struct chosen {
	u64 vaddr;
	size_t order; /* in which it was found: of several names the first counts */
	char *name;
	bool stepped; /* its begin is executed by single step */
};

/* What is chosen in one file. */
struct trace_file {
	struct module_key key;
	struct chosen *chosen;
	size_t n, capacity;
	struct walker_call *call; /* places of their code, enters last */
	size_t calls;
	UT_hash_handle hh;
};

struct trace {
	const struct patterns *patterns;
	struct engine *engine;
	struct intern *texts, *names;
	struct intern *others;	    /* names that no pattern chooses: "r:fit" */
	u32 natives;		    /* native functions that are known */
	struct function *functions; /* by id */
	struct trace_file *files;   /* by key */
	struct sample *entered;	    /* of trace_entered() */
	FILE *out; /* what each call is written to; NULL: none is */
	enum trace_log as;
	u64 first; /* ns: the first that was told began; 0: none */
	struct intern
		*lanes; /* of Chrome's events: pid and lane that have a name */
};

/* trace_native.c */
void trace_files_free(struct trace *t);

/* NULL: it is not chosen. */
struct function *trace_function(const struct trace *t, u32 id);

/* What is chosen in the module's file; the trace's. */
struct trace_file *trace_file(struct trace *t, const struct module *m);
/* A native function is known, and its calls are counted. */
struct function *trace_know(struct trace *t, const struct walker_site *site,
			    u32 file, u64 vaddr, const char *name);
/* nearest.c: a function that no pattern chooses; file: of a native one. */
void trace_offer(struct trace *t, u32 language, const char *file,
		 const char *name);
/* Write one call. */
void trace_tell(struct trace *t, const struct sample *s);
/* What the frames of a record from word i on say that are no frames; false: nothing. */
bool trace_detail(struct trace *t, u32 language, const struct sample *s,
		  struct buf *text);
/* price.c: what a call of it takes; *own: of that within its own time. */
u64 price_of(const struct trace_price *price, u32 language, bool stepped,
	     u64 *own);

#endif
