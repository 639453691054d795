/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The pid namespace that the profiler runs in (bpf/pids.bpf.h). */
#ifndef JPBPF_USER_KERNEL_PIDS_H
#define JPBPF_USER_KERNEL_PIDS_H

#include <jpbpf/types.h>

/* Its inode; 0: the initial one, the host's. */
u32 pids_namespace(void);
/* Why pids cannot be used here; NULL: they can. */
const char *pids_impossible(void);
/* Let the loaded program pids_find, a descriptor, find how deep that namespace is.
 * Only in one that is not the initial one.  0 or -errno. */
int pids_search(int program);

#endif
