/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The child waits on a pipe for a byte, and ends when the parent ends before sending
 * it. A second pipe, closed by a successful exec, brings back the error of a failed
 * one.
 *
 * The child puts back what the profiler has changed for itself and exec would keep.
 */
#include "user/session/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/lib/log.h"
#include "user/session/descriptors.h"
#include "user/session/signals.h"

static void child(int gate, int failed, char **argv, bool to_stderr)
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
	if (write(failed, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int command_prepare(struct command *c, char **argv, bool to_stderr)
{
	int gate[2], failed[2], err;

	if (pipe2(gate, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		close(gate[0]);
		close(gate[1]);
		return err;
	}
	c->pid = fork();
	err = c->pid < 0 ? -errno : 0;
	if (!c->pid) {
		close(gate[1]);
		child(gate[0], failed[1], argv, to_stderr);
	}
	close(gate[0]);
	close(failed[1]);
	c->gate = gate[1];
	c->failed = failed[0];
	return err;
}

int command_watch(struct command *c, int epoll_fd)
{
	struct epoll_event ev = { .events = EPOLLIN };

	c->pidfd = syscall(SYS_pidfd_open, c->pid, 0);
	if (c->pidfd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, c->pidfd, &ev))
		return -errno;
	return 0;
}

bool command_start(struct command *c, const char *name)
{
	int err = 0;

	if (write(c->gate, "", 1) != 1)
		log_debug("the command has ended before it was let run");
	close(c->gate);
	c->gate = -1;
	if (read(c->failed, &err, sizeof(err)) != sizeof(err))
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

/* Wait at most ms for the command.  Returns whether it has ended. */
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
	bool was_started = c->gate < 0;

	if (c->gate >= 0)
		close(c->gate);
	if (c->failed >= 0)
		close(c->failed);
	if (c->pidfd >= 0)
		close(c->pidfd);
	if (c->pid > 0 && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->pid = 0;
	if (c->pid <= 0)
		return;
	if (was_started)
		log_info("the command still runs: asked to end (SIGTERM)");
	kill(c->pid, SIGTERM);
	if (!wait_for(c->pid, GRACE_MS)) {
		log_warn("the command does not end when asked to: killed");
		kill(c->pid, SIGKILL);
		wait_for(c->pid, GRACE_MS);
	}
	c->pid = 0;
}
