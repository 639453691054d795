/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Output formats: one file and one line in the table each.
 *
 * A writer gets the profile and a stream, and nothing else.
 */
#ifndef JPBPF_USER_OUTPUT_FORMAT_H
#define JPBPF_USER_OUTPUT_FORMAT_H

#include <stdbool.h>
#include <stdio.h>

#include "user/lib/buf.h"

struct frame;
struct profile;

struct format {
	const char *name; /* the argument of -f */
	const char *help;
	/* enum profile_by: what tells stacks apart besides frames. */
	unsigned by;
	/* It holds the values of one event: the profile has only one. */
	bool one_event;
	/* It is for people: the built-in rules apply unless --no-rules is given. */
	bool for_people;
	bool is_binary; /* no text: not for a terminal */
	/* It has fields for places: lines are read where a recording has them. */
	bool has_places;
	/* 0 or -errno; the caller flushes the stream. */
	int (*write)(struct profile *p, FILE *out);
};

/* The writers.  Texts have all stacks, sorted by the texts of their frames; rprof_write()
 * writes each as often as it was sampled. */
int errors_write(struct profile *p, FILE *out);
int folded_write(struct profile *p, FILE *out);
int firefox_write(struct profile *p, FILE *out);
int jsonl_write(struct profile *p, FILE *out);
int perf_write(struct profile *p, FILE *out);
int perfetto_write(struct profile *p, FILE *out);
int pprof_write(struct profile *p, FILE *out);
int rprof_write(struct profile *p, FILE *out);
int speedscope_write(struct profile *p, FILE *out);
/* A flame graph in a page of its own (user/flame/page.h). */
int html_write(struct profile *p, FILE *out);
int sqlite_write(struct profile *p, FILE *out);
/* A tree for people (user/report/report.h). */
int report_write(struct profile *p, FILE *out);
/* Append the frame as a JSON object (jsonl.c). */
void format_put_frame(const struct profile *p, const struct frame *f,
		      struct buf *out);
/* Write a text: 0 or -errno. */
int format_put(const struct buf *text, FILE *out);

/* A text that is written piece by piece.  After an error nothing more is written. */
struct output {
	struct buf text; /* appended to by the writer */
	FILE *file;
	int err;
};

/* Write what was appended. */
void output_put(struct output *o);
/* Write the rest.  Returns 0 or the first error. */
int output_end(struct output *o);

/* The format of that name; NULL if there is none. */
const struct format *format_find(const char *name);
/* The table, ended by a NULL name. */
extern const struct format formats[];

#endif
