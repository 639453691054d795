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
	int pidfd;  /* readable when it has ended */
	int status; /* as of waitpid(), when it has ended unasked */
};

#define COMMAND_NONE                                  \
	{                                             \
		.gate = -1, .failed = -1, .pidfd = -1 \
	}

/* Fork; the child waits.  to_stderr: its standard output goes there, too.  0 or
 * -errno. */
int command_prepare(struct command *c, char **argv, bool to_stderr);
/* Wake those who wait on this descriptor when it ends.  0 or -errno. */
int command_watch(struct command *c, int epoll_fd);
/* Let it run.  false, after log_err(): exec failed, and it has ended. */
bool command_start(struct command *c, const char *name);
/* Has it ended?  log_warn() says how, when it has failed. */
bool command_ended(struct command *c);
/* As a shell says it: its exit status, 128 and the signal that ended it, 127 when there
 * is no such program, 126 when it cannot be run; 0 when it was asked to end. */
int command_status(const struct command *c);
/* When it outlived the profile, ask it to end and after 2 s kill it, and say so.
 * Release; one that was not let run never does. */
void command_release(struct command *c);

#endif
