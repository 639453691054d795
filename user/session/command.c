/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The child waits on a pipe for a byte; when the pipe ends without one, the command is
 * not to run.  A second pipe, closed by a successful exec, brings back the error of a
 * failed one.
 */
#include "user/session/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/lib/log.h"

static void child(int gate, int failed, char **argv)
{
	ssize_t got;
	char byte;
	int err;

	while ((got = read(gate, &byte, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(127);
}

int command_prepare(struct command *c, char **argv)
{
	int gate[2], failed[2];

	if (pipe2(gate, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		close(gate[0]);
		close(gate[1]);
		return -errno;
	}
	c->pid = fork();
	if (!c->pid) {
		close(gate[1]);
		child(gate[0], failed[1], argv);
	}
	close(gate[0]);
	close(failed[1]);
	c->gate = gate[1];
	c->failed = failed[0];
	return c->pid < 0 ? -errno : 0;
}

int command_start(struct command *c, const char *name)
{
	int err = 0;

	if (write(c->gate, "", 1) != 1)
		err = errno;
	close(c->gate);
	c->gate = -1;
	if (!err && read(c->failed, &err, sizeof(err)) != sizeof(err))
		return 0;
	errno = err;
	log_err("cannot run '%s': %m", name);
	return -err;
}

int command_ended(struct command *c, int *status)
{
	if (c->pid <= 0 || waitpid(c->pid, status, WNOHANG) != c->pid)
		return 0;
	c->pid = 0;
	return 1;
}

#define GRACE_MS 2000 /* for a command that was asked to end */

/* Wait for the command for so long. Has it ended? */
static bool wait_for(pid_t pid, int ms)
{
	const struct timespec step = { .tv_nsec = 10 * 1000000 };

	for (int waited = 0; waited < ms; waited += 10) {
		pid_t got = waitpid(pid, NULL, WNOHANG);

		if (got == pid || (got < 0 && errno == ECHILD))
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}

void command_release(struct command *c)
{
	if (c->gate >= 0)
		close(c->gate);
	if (c->failed >= 0)
		close(c->failed);
	if (c->pid <= 0)
		return;
	kill(c->pid, SIGTERM);
	if (!wait_for(c->pid, GRACE_MS)) {
		log_warn("the command does not end when asked to: killed");
		kill(c->pid, SIGKILL);
		wait_for(c->pid, GRACE_MS);
	}
	c->pid = 0;
}
