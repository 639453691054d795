/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The command after "--".  It is forked first, and runs once sampling has begun. */
#ifndef JPBPF_USER_SESSION_COMMAND_H
#define JPBPF_USER_SESSION_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct command {
	pid_t pid; /* 0: none */
	int gate; /* a byte lets the command run; errno comes back if exec fails */
	int pidfd;  /* readable when it has ended */
	int status; /* of waitpid(), if it ended by itself */
};

#define COMMAND_NONE                    \
	{                               \
		.gate = -1, .pidfd = -1 \
	}

/* Fork; the child waits.  to_stderr: its standard output goes to standard error.  0 or
 * -errno. */
int command_prepare(struct command *c, char **argv, bool to_stderr);
/* Let the command run.  Returns false after log_err() when exec failed; the child has
 * ended then. */
bool command_start(struct command *c, const char *name);
/* Whether the command has ended.  log_warn() says how, when it failed. */
bool command_ended(struct command *c);
/* The status as a shell gives it: the exit status; 128 and the signal that ended the
 * command; 127 when there is no such program; 126 when it cannot be run; 0 when it was
 * asked to end. */
int command_status(const struct command *c);
/* End and release.  A command that still runs is asked to end, killed after 2 s, and
 * reported.  A command that was not started never runs. */
void command_release(struct command *c);

#endif
