/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The command after "--": started stopped, let run when sampling has begun. */
#ifndef JPBPF_USER_SESSION_COMMAND_H
#define JPBPF_USER_SESSION_COMMAND_H

#include <sys/types.h>

struct command {
	pid_t pid;  /* 0: none */
	int gate;   /* a byte lets the command run, EOF ends it */
	int failed; /* read end: carries errno when exec failed */
};

/* Fork; the child waits. 0 or -errno. */
int command_prepare(struct command *c, char **argv);
/* Let it run; 0 when exec succeeded, else -errno after log_err(). */
int command_start(struct command *c, const char *name);
/* Reap it when it has ended. 1: ended (status as of waitpid), 0: runs. */
int command_ended(struct command *c, int *status);
/* Ask it to end (it outlived the profile, or was never let run), kill it if it does
 * not, release. */
void command_release(struct command *c);

#endif
