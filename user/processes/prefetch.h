/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the files that will be needed while the kernel side is being loaded, so
 * that the first sample does not have to wait for one after the other.
 */
#ifndef JPBPF_USER_PROCESSES_PREFETCH_H
#define JPBPF_USER_PROCESSES_PREFETCH_H

#include <stdbool.h>
#include <sys/types.h>

struct modules;

struct prefetch {
	const pid_t *pid;
	size_t pids;
	const char *command; /* NULL: none */
	bool interpreters;   /* of every process that has one in it */
	bool known; /* of the interpreters that this host has: by whatever way one
		     * is started, it is known from its first sample then */
};

/* Build the tables of all files that these processes map, and that a command will map.
 * A process that has gone is passed over: whoever needs it will say so. */
void prefetch_all(struct modules *ms, const char *proc,
		  const struct prefetch *what);

#endif
