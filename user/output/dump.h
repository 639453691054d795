/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The stacks of threads, for people and as JSON. */
#ifndef JPBPF_USER_OUTPUT_DUMP_H
#define JPBPF_USER_OUTPUT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <jpbpf/types.h>

struct profile;

struct dump_thread {
	u32 pid, tid;
	/* As in /proc: "S (sleeping)" and "hrtimer_nanosleep"; NULL or "0": not known. */
	char *state, *wchan;
	/* What was written of it last, malloc'ed; NULL: nothing.  Since when it is so. */
	char *was;
	time_t since;
};

enum dump_form {
	DUMP_TEXT,
	DUMP_CHANGES, /* text, and only of threads whose text is another than it was */
	DUMP_JSON,
};

/* Write the threads, sorted by pid and tid, with their stacks in the profile
 * (PROFILE_BY_TID).  0 or -errno. */
int dump_write(struct profile *p, struct dump_thread *const *thread, size_t n,
	       enum dump_form form, FILE *out);

#endif
