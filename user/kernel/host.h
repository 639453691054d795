/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the kernel side needs of this host: the kernel's types, memory that can be read
 * directly, a pid namespace.
 *
 * Each function host_without_*() returns NULL when the host has it, otherwise the
 * reason why it does not.
 */
#ifndef JPBPF_USER_KERNEL_HOST_H
#define JPBPF_USER_KERNEL_HOST_H

#include <stdbool.h>

#include <jpbpf/types.h>

/* The report of where something will be mapped (tracepoint vm_unmapped_area). */
const char *host_without_areas(void);

/* Reads of other processes' memory (direct_foreign). */
const char *host_without_foreign(void);

/* Direct reads of memory (bpf/direct.bpf.h). */
const char *host_without_direct(void);
/* Let the loaded program direct_find (a descriptor) find the kernel's direct map. Reads
 * are right whether it is found or not.  log_debug() tells which.  Whether it was found. */
bool host_search_direct(int program);

/* Uprobes that are attached together, each for all threads of a process. */
const char *host_without_multi(void);

/* Pids that mean the same here, in /proc and on the kernel side (bpf/pids.bpf.h). */
const char *host_without_pids(void);
/* Inode of the pid namespace that the profiler runs in; 0: the initial one, the
 * host's. */
u32 host_pid_namespace(void);
/* Let the loaded program pids_find (a descriptor) find how deep the namespace is
 * nested. Only called in a namespace that is not the initial one.  0 or -errno. */
int host_search_pids(int program);

#endif
