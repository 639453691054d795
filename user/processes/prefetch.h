/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the files that will be needed, while the kernel side is being loaded.  The
 * first sample then does not have to wait for one file after the other.
 */
#ifndef JPBPF_USER_PROCESSES_PREFETCH_H
#define JPBPF_USER_PROCESSES_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct modules;

struct prefetch_config {
	const char *proc;
	const pid_t *pid;
	size_t pids;
	const char *command; /* NULL: none */
	bool running;	     /* also running processes with interpreters */
	bool beginning;	     /* programs are going to begin */
	unsigned max_memory; /* MiB, of all */
};

/* Build the tables of all files that the given processes map and that the command will
 * map.  With running, also those of every process that holds an interpreter.  With
 * beginning, also those of the interpreters installed on this host, so that an
 * interpreter is known from its first sample; one that scripts start only if it is the
 * command.  A process that has gone is passed over; tracker_add() reports it. */
void prefetch_all(struct modules *ms, const struct prefetch_config *c);

#endif
