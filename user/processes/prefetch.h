/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the files of processes that are listed, and of programs that will probably begin,
 * while the kernel side is being loaded.  An interpreter is then known from its first
 * sample.
 */
#ifndef JPBPF_USER_PROCESSES_PREFETCH_H
#define JPBPF_USER_PROCESSES_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct modules;

/* Want the tables of all files that the processes map.  One that has gone maps none. */
void prefetch_processes(struct modules *ms, const pid_t *pid, size_t n);
/* Build these, and the tables of all files that the command (NULL: none) will map.  known:
 * also those of the interpreters installed on this host; one that scripts start only if it
 * is the command. */
void prefetch(struct modules *ms, const char *command, bool known);

#endif
