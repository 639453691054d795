/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where the result goes: opened first, so that a wrong path is told before
 * anything was sampled; truncated last, so that nothing is lost to a failed run.
 */
#ifndef JPBPF_USER_SESSION_OUTFILE_H
#define JPBPF_USER_SESSION_OUTFILE_H

#include <stdio.h>

struct outfile {
	const char *path; /* NULL: standard output */
	FILE *stream;
};

/* 0 or -errno after log_err(). path must outlive the file. */
int outfile_open(struct outfile *f, const char *path);
/* Empty it. 0 or -errno. */
int outfile_begin(struct outfile *f);
/* Close it. err: how writing went. 0 or -errno after log_err(). */
int outfile_end(struct outfile *f, int err);

#endif
