/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The command after "--": started stopped, let run when sampling has begun. */
#ifndef JPBPF_USER_SESSION_COMMAND_H
#define JPBPF_USER_SESSION_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct command {
	pid_t pid;  /* 0: none */
	int gate;   /* a byte lets the command run */
	int failed; /* read end: carries errno when exec failed */
};

/* Fork; the child waits.  to_stderr: its standard output goes there, too.  0 or
 * -errno. */
int command_prepare(struct command *c, char **argv, bool to_stderr);
/* Let it run; 0 when exec succeeded, else -errno after log_err(). */
int command_start(struct command *c, const char *name);
/* Reap it when it has ended. 1: ended (status as of waitpid), 0: runs. */
int command_ended(struct command *c, int *status);
/* When it outlived the profile, ask it to end and after 2 s kill it, and say so.
 * Release; one that was not let run never does. */
void command_release(struct command *c);

#endif
