/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From what is known of a file to what is proven of one process. */
#ifndef JPBPF_WALKERS_R_PROVE_R_ATTACH_H
#define JPBPF_WALKERS_R_PROVE_R_ATTACH_H

#include <sys/types.h>

#include <jpbpf/types.h>

#include "walkers/r/r.h"

struct buf;
struct r_chain;
struct r_file;

/* 1: proven, *process and *chain are filled; 0: R is not initialised yet; -EAGAIN: the same,
 * of a version that must be proven first; -ESRCH: the process is gone; -ENOTSUP:
 * it is not as the file says, why says what. */
int r_attach(pid_t pid, u64 bias, const struct r_file *file,
	     struct r_process *process, struct r_chain *chain, struct buf *why);

#endif
