/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of each process with R. */
#ifndef JPBPF_WALKERS_R_KERNEL_R_PROCESS_BPF_H
#define JPBPF_WALKERS_R_KERNEL_R_PROCESS_BPF_H

#include "walkers/r/kernel/r.bpf.h"

/* Per process; written by user space when it has proven the layout, copied on
 * fork.  As large as the process table. */
MAP(r_processes, HASH, BPF_F_NO_PREALLOC, 1, u32, struct r_process);

#endif
