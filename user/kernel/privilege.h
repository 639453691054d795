/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The capabilities that profiling needs in each phase, and giving up all others.
 */
#ifndef JPBPF_USER_KERNEL_PRIVILEGE_H
#define JPBPF_USER_KERNEL_PRIVILEGE_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;

enum privilege_phase {
	PRIVILEGE_START = 1 << 0,   /* loading and attaching */
	PRIVILEGE_RUN = 1 << 1,	    /* sampling, and naming at the end */
	PRIVILEGE_COMMAND = 1 << 2, /* a command may have to be ended */
	PRIVILEGE_READ = 1 << 3,    /* only looking at files and processes */
	PRIVILEGE_FILES = 1 << 4,   /* files are made and removed under way */
	PRIVILEGE_PROBES = 1 << 5,  /* uprobes are attached under way */
};

/* The calling thread's effective capabilities, a bit each; 0: not known. */
u64 privilege_effective(void);
/* Append the names of the capabilities that the phases need and the set lacks: those
 * without which nothing can be profiled to needed, those without which something will be
 * missing to useful.  Both may be the same. */
void privilege_lacking(u64 effective, unsigned phases, struct buf *needed,
		       struct buf *useful);
/* Whether the calling thread lacks nothing that the phases need. */
bool privilege_suffices(unsigned phases);
/* Give up all capabilities that the phases do not need, and gain none by exec.  Applies
 * to the calling thread and what it starts.  0 or -errno. */
int privilege_keep(unsigned phases);

#endif
