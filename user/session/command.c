/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The child waits on a socket for a byte, and ends when the parent ends before sending
 * it. The socket brings back the error of a failed exec, and is closed by a successful
 * one.
 *
 * The child puts back what the profiler has changed for itself and exec would keep.
 */
#include "user/session/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib/log.h"
#include "user/session/descriptors.h"
#include "user/session/signals.h"

static void child(int gate, char **argv, bool to_stderr)
{
	char byte;
	ssize_t n;
	int err;

	signals_restore();
	descriptors_restore();
	if (to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	do
		n = read(gate, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(126);
	execvp(argv[0], argv);
	err = errno;
	if (write(gate, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int command_prepare(struct command *c, char **argv, bool to_stderr)
{
	int gate[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate))
		return -errno;
	c->gate = gate[0];
	c->pid = fork();
	if (!c->pid) {
		close(gate[0]);
		child(gate[1], argv, to_stderr);
	}
	close(gate[1]);
	if (c->pid > 0)
		c->pidfd = syscall(SYS_pidfd_open, c->pid, 0);
	return c->pidfd < 0 ? -errno : 0;
}

bool command_start(struct command *c, const char *name)
{
	int err = 0;
	ssize_t n;

	if (send(c->gate, "", 1, MSG_NOSIGNAL) != 1)
		log_debug("the command has ended before it was let run");
	n = read(c->gate, &err, sizeof(err));
	close(c->gate);
	c->gate = -1;
	if (n != sizeof(err))
		return true;
	waitpid(c->pid, &c->status, 0);
	c->pid = 0;
	errno = err;
	log_err("cannot run '%s': %m (after -- comes a program, by its path or "
		"one in PATH)",
		name);
	return false;
}

bool command_ended(struct command *c)
{
	const char *signal;

	if (c->pid <= 0 || waitpid(c->pid, &c->status, WNOHANG) != c->pid)
		return false;
	c->pid = 0;
	signal = sigabbrev_np(WTERMSIG(c->status));
	if (WIFSIGNALED(c->status))
		log_warn("the command was ended by SIG%s",
			 signal ? signal : "RT");
	else if (c->status)
		log_warn("the command failed: exit status %d",
			 WEXITSTATUS(c->status));
	return true;
}

int command_status(const struct command *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status)
				      : WEXITSTATUS(c->status);
}

#define GRACE_MS 2000 /* for a command that was asked to end */

/* Whether the command has ended by then. */
static bool ends_in_time(const struct command *c)
{
	struct pollfd end = { .fd = c->pidfd, .events = POLLIN };

	while (poll(&end, 1, GRACE_MS) < 0 && errno == EINTR)
		;
	return waitpid(c->pid, NULL, WNOHANG) == c->pid;
}

void command_release(struct command *c)
{
	bool was_started = c->gate < 0;

	if (c->gate >= 0)
		close(c->gate);
	if (c->pid > 0 && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->pid = 0;
	if (c->pid > 0) {
		if (was_started)
			log_info("the command still runs: asked to end "
				 "(SIGTERM)");
		kill(c->pid, SIGTERM);
		if (!ends_in_time(c)) {
			log_warn("the command does not end when asked to: "
				 "killed");
			kill(c->pid, SIGKILL);
			ends_in_time(c);
		}
		c->pid = 0;
	}
	if (c->pidfd >= 0)
		close(c->pidfd);
}
