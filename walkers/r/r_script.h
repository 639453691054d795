/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The script that an R runs, and where in it an expression stands. */
#ifndef JPBPF_WALKERS_R_SCRIPT_H
#define JPBPF_WALKERS_R_SCRIPT_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct buf;

/* Add to out the name of the script that a process was started with, a newline, and
 * the script.  An id for that text; 0: it has none, or it cannot be told which. */
u64 r_script_read(const char *proc, pid_t pid, struct buf *out);

/* What the srcfile of an expression has. */
struct r_expression {
	const char *
		text; /* longer than TEXT_MAX - 1 bytes: with "..." at the end */
	u64 bytes;    /* of all of it */
	u32 line;     /* from 1, counted from the start of it */
};

/* The line of the script (a text of r_script_read()) on which that is; *len is the
 * length of the name that it begins with.  0: it is not there, or at more than one place. */
u32 r_script_line(const char *script, const struct r_expression *e,
		  size_t *len);

#endif
