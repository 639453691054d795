/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R's global variables: where a file has them, where a process has them.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_GLOBALS_H
#define JPBPF_WALKERS_R_DERIVE_R_GLOBALS_H

#include <sys/types.h>

#include <jpbpf/types.h>

struct module;
struct r_file;
struct r_process;
struct r_slots;

/* Sets f->at and f->slot for the exported variables.  Returns NULL, or the name of one
 * that is needed and not exported. */
const char *r_globals_find(struct r_file *f, const struct module *m,
			   const struct r_slots *slots);
/* Makes of p, at first f->at, what holds for a process.  1: done; 0: one that is needed
 * is still NULL; -errno. */
int r_globals_read(const struct r_file *f, pid_t pid, u64 bias,
		   struct r_process *p);

#endif
