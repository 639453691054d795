/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the files that will be needed while the kernel side is being loaded, so
 * that the first sample does not have to wait for one after the other.
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
	bool running;	     /* processes with interpreters in them, too */
	bool beginning;	     /* programs are going to begin */
	unsigned max_tables; /* MB, of all tables */
};

/* Build the tables of all files that the processes that were given map, and that a
 * command will map; with interpreters, those of every process that has one in it.  And
 * where programs are going to begin, those of the interpreters that this host has: by
 * whatever way one is started, it is known from its first sample then.  A process that
 * has gone is passed over: whoever needs it will say so. */
void prefetch_all(struct modules *ms, const struct prefetch_config *c);

#endif
