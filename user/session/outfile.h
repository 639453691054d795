/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The file that the result is written to.  It is opened first, so that a wrong path is
 * reported before anything is sampled.  It is truncated last, so that a failed run
 * destroys nothing.
 */
#ifndef JPBPF_USER_SESSION_OUTFILE_H
#define JPBPF_USER_SESSION_OUTFILE_H

#include <stdio.h>

struct outfile {
	const char *path; /* NULL: standard output */
	FILE *stream;
};

/* Open the file.  path must outlive f.  0 or -errno after log_err(). */
int outfile_open(struct outfile *f, const char *path);
/* Empty it. 0 or -errno. */
int outfile_begin(struct outfile *f);
/* Close it.  err: the result of writing.  0 or -errno after log_err(). */
int outfile_end(struct outfile *f, int err);

#endif
