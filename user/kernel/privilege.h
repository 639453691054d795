/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The capabilities that profiling needs in each phase, and giving up all others.
 */
#ifndef JPBPF_USER_KERNEL_PRIVILEGE_H
#define JPBPF_USER_KERNEL_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

enum privilege_phase {
	PRIVILEGE_START = 1 << 0,   /* loading and attaching */
	PRIVILEGE_RUN = 1 << 1,	    /* sampling, and naming at the end */
	PRIVILEGE_COMMAND = 1 << 2, /* a command may have to be ended */
	PRIVILEGE_READ = 1 << 3,    /* only looking at files and processes */
};

struct privilege {
	unsigned number; /* CAP_* */
	const char *name;
	unsigned phases; /* enum privilege_phase, or'ed */
	bool of_admin;	 /* CAP_SYS_ADMIN includes it */
	bool optional;	 /* profiling works without it, with losses */
};

/* The table ends with a NULL name. */
extern const struct privilege privileges[];

/* Give up all capabilities that the phases do not need, and gain none by exec.  Applies
 * to the calling thread and what it starts.  0 or -errno. */
int privilege_keep(unsigned phases);

#endif
