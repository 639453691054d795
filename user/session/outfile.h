/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The file of the result.  It is opened before anything is sampled, so that a wrong path
 * is reported then, and while there are privileges.
 *
 * The result is written to a file without a name beside it, which then takes its place.
 * So what was there before stays until the result is whole.  What cannot be replaced (a
 * link, a file with several names, a folder that may not be written) is written over.
 */
#ifndef JPBPF_USER_SESSION_OUTFILE_H
#define JPBPF_USER_SESSION_OUTFILE_H

#include <stdio.h>

struct outfile {
	const char *path; /* NULL: standard output */
	FILE *out;	  /* what is written to */
	int fd; /* of the path, when out is a file beside it; else -1 */
};

/* 0 or -errno after log_err(). */
int outfile_open(struct outfile *o, const char *path);
/* All was written to out, or err (-errno) came first.  0, or -errno after log_err();
 * before -ENOENT the writer has said it. */
int outfile_close(struct outfile *o, int err);

#endif
