/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The processes, the threads and the command that the user has named. */
#ifndef JPBPF_USER_SESSION_CHOSEN_H
#define JPBPF_USER_SESSION_CHOSEN_H

#include <stdbool.h>
#include <sys/types.h>

struct session;

/* Hand the named ones to the tracker, or what runs on this host when none is named.
 * The command waits for command_start().  log_info() tells how many of the named hold
 * no interpreter; they are profiled, too.  0; -ESRCH when none of them can be profiled,
 * after log_err() for each; or another -errno.  s->refused becomes true when one of them
 * is of a kind that is not supported. */
int chosen_add(struct session *s);
/* Whether --comm, --uid and -G choose the process, by what /proc says now.
 * session_config: a const struct session_config. */
bool chosen_is(void *session_config, pid_t pid);
/* Whether everything that the user has named has ended. */
bool chosen_ended(struct session *s);

#endif
