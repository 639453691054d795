/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Output formats: one file and one line in the table for each.
 *
 * A writer sees only the profile and a stream.
 */
#ifndef JPBPF_USER_OUTPUT_FORMAT_H
#define JPBPF_USER_OUTPUT_FORMAT_H

#include <stdio.h>

struct profile;

struct format {
	const char *name; /* as after -f */
	const char *help;
	unsigned
		by; /* enum profile_by: what tells stacks apart besides frames */
	/* 0 or -errno; the stream is flushed by the caller. */
	int (*write)(struct profile *p, FILE *out);
};

/* NULL when there is none of that name. */
const struct format *format_find(const char *name);
/* The table, ended by a NULL name. */
extern const struct format formats[];

#endif
