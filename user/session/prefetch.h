/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the files that will be needed while the kernel side is being loaded, so
 * that the first sample does not have to wait for one after the other.
 */
#ifndef JPBPF_USER_SESSION_PREFETCH_H
#define JPBPF_USER_SESSION_PREFETCH_H

#include <sys/types.h>

struct modules;

/* Build the tables of all files that the process maps. A process that has gone is
 * passed over: whoever needs it will say so. */
void prefetch_process(struct modules *ms, const char *proc, pid_t pid);
/* The same for every process with an interpreter in it. */
void prefetch_interpreters(struct modules *ms, const char *proc);
/* The same for a command that is to be started. */
void prefetch_command(struct modules *ms, const char *command);

#endif
