/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The pid namespace that the profiler runs in (bpf/pids.bpf.h). */
#ifndef JPBPF_USER_KERNEL_PIDS_H
#define JPBPF_USER_KERNEL_PIDS_H

#include <jpbpf/types.h>

/* Inode of the namespace; 0: the initial one, the host's. */
u32 pids_namespace(void);
/* NULL: pids can be used here.  Otherwise the reason why not. */
const char *pids_impossible(void);
/* Let the loaded program pids_find (a descriptor) find how deep the namespace is
 * nested. Only called in a namespace that is not the initial one.  0 or -errno. */
int pids_search(int program);

#endif
