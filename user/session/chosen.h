/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The processes, threads and the command that the user asked for by name. */
#ifndef JPBPF_USER_SESSION_CHOSEN_H
#define JPBPF_USER_SESSION_CHOSEN_H

#include <stdbool.h>
#include <sys/types.h>

struct command;
struct session_config;
struct tracker;

/* Hand them to the tracker, or what runs on this host when none was asked for; the
 * command waits for command_start().  0; -ESRCH when not one of them can be profiled,
 * after log_err() for each, or another -errno.  *refused becomes true when one of them
 * is of a kind that is not supported. */
int chosen_add(const struct session_config *config, struct tracker *t,
	       struct command *c, bool *refused);
/* Is it one of those that --comm, --uid and -G name, by what /proc says now? */
bool chosen_is(void *session_config, pid_t pid);
/* A process without an interpreter that was asked for is profiled; log_info() says so. */
void chosen_tell_native(const struct session_config *config,
			const struct tracker *t);
/* Has everything that was asked for ended? */
bool chosen_ended(const struct session_config *config, const struct tracker *t,
		  struct command *c);

#endif
