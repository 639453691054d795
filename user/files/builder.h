/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Builds unwind tables of several modules at once, on all CPUs. */
#ifndef JPBPF_USER_FILES_BUILDER_H
#define JPBPF_USER_FILES_BUILDER_H

#include <stddef.h>

#include "user/unwind/cfi.h"

struct module;

struct builder_job {
	struct module *module;	/* no two jobs share one */
	struct cfi_table table; /* out; the caller's to release if err is 0 */
	int err;		/* out */
};

/* Run all jobs and return when they are done.  The jobs may come back in another
 * order. */
void builder_run(struct builder_job *job, size_t n);

#endif
