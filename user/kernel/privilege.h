/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which capabilities profiling needs, and when; and giving up the others.
 */
#ifndef JPBPF_USER_KERNEL_PRIVILEGE_H
#define JPBPF_USER_KERNEL_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

enum privilege_phase {
	PRIVILEGE_START = 1 << 0, /* loading and attaching */
	PRIVILEGE_RUN = 1 << 1,	  /* sampling, and naming at the end */
	PRIVILEGE_COMMAND = 1
			    << 2, /* with a command that may have to be ended */
	PRIVILEGE_READ = 1 << 3,  /* looking at files and processes only */
};

struct privilege {
	unsigned number; /* CAP_* */
	const char *name;
	unsigned phases; /* enum privilege_phase, or'ed */
	bool of_admin;	 /* CAP_SYS_ADMIN stands for it */
	bool optional;	 /* without it something is missing, no more */
};

/* The table, ended by a NULL name. */
extern const struct privilege privileges[];

/* Keep of the capabilities that this process has those that the phases need, and
 * gain none by what is executed.  For the calling thread and what it starts. 0 or
 * -errno. */
int privilege_keep(unsigned phases);

#endif
